/// Ends an exchange that was to be a handshake only, and was one: there is no response.
struct HandshakeEnd: Error {}
