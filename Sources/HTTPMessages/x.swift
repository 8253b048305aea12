public struct HTTPMessageError: Error {}
