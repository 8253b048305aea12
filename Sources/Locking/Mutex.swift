#if !THREAD_SANITIZER
public import Synchronization
#endif

/// A lock around a value: the standard library's, or under ThreadSanitizer one that the sanitizer can follow.
///
/// The slow path of `Synchronization.Mutex` stands in a library that no build instruments, so the sanitizer does not see
/// that a waiting thread comes after the one it waited for, and reports races that are none. A build for the sanitizer
/// takes a POSIX mutex, and any race that is left is real. The methods are inlinable because locks are on every path.
public struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
    #if THREAD_SANITIZER
    @usableFromInline let lock: PosixMutex<Value>
    #else
    @usableFromInline let lock: Synchronization.Mutex<Value>
    #endif

    /// Puts a lock around a value.
    @inlinable public init(_ initialValue: consuming sending Value) {
        lock = .init(initialValue)
    }

    /// Runs a closure with the value while no other thread has it.
    ///
    /// - Throws: What the closure throws.
    @inlinable public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock(body)
    }

    /// Runs a closure with the value when no other thread has it just now.
    ///
    /// - Returns: What the closure returns, or nil when the lock was taken.
    /// - Throws: What the closure throws.
    @inlinable public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try lock.withLockIfAvailable(body)
    }
}
