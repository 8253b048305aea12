#if THREAD_SANITIZER
import Glibc

/// A lock around a value, made of the one that ThreadSanitizer knows.
@safe
public struct PosixMutex<Value: ~Copyable>: ~Copyable, Sendable {
    // nonisolated(unsafe): made once; what they point to is touched under the lock only.
    private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    /// Puts a lock around a value.
    public init(_ initialValue: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initialValue)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// Runs a closure with the value while no other thread has it.
    ///
    /// - Throws: What the closure throws.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }

    /// Runs a closure with the value when no other thread has it just now.
    ///
    /// - Returns: What the closure returns, or nil when the lock was taken.
    /// - Throws: What the closure throws.
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard unsafe pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
}
#endif
