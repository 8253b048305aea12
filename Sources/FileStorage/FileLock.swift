/// A lock that is held until the object goes or its process ends; see ``PrivateFile/lockIfAvailable()``.
package final class FileLock: Sendable {
    /// The lock ends when its descriptor is closed.
    private let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}
