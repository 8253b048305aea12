import CCurl
import Glibc
import HTTPMessages
import Locking
import Synchronization

/// The thread that runs all exchanges of a session, and the tasks that prefer it.
///
/// Callers leave exchanges, cancellations and parts of tasks in a queue and wake the thread; everything else of libcurl's
/// multi handle happens on the thread. The thread owns this object while it runs.
@safe final class TransferLoop: Sendable {
    private struct Queue {
        var started: [Transfer] = []
        var cancelled: [Transfer] = []
        var resumed: [Transfer] = []
        /// Parts of the tasks that prefer to run here.
        var jobs: [UnownedJob] = []
        var isEmpty: Bool {
            started.isEmpty && cancelled.isEmpty && resumed.isEmpty && jobs.isEmpty && !isClosed
        }
        /// Whether the thread waits, or is about to, and has to be woken.
        var isAsleep = false
        var isClosed = false
        /// The handle is gone; nobody may wake it.
        var hasEnded = false
    }

    /// Used on the thread, but for `curl_multi_wakeup`, which may come from any thread while the queue is locked and has
    /// not ended.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let queue = Locking.Mutex(Queue())
    /// Nil when it was waited for.
    private let thread = Locking.Mutex<pthread_t?>(nil)
    private let threadID = Atomic<pthread_t>(0)
    private let gate: StreamGate

    /// Starts the thread.
    init(configuration: CurlSession.Configuration) throws(TransportError) {
        guard CurlLibrary.initialization == CURLE_OK, let multi = unsafe curl_multi_init() else {
            throw TransportError(.internalError, "libcurl cannot be initialised")
        }
        unsafe self.multi = unsafe multi
        gate = StreamGate(
            hostLimit: configuration.maximumConnectionsPerHost,
            limit: configuration.maximumConnections
        )
        // The gate keeps to the limits; libcurl, which counts connections that nobody uses too, closes those for others.
        let options: [(CURLMoption, Int)] = [
            (CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost),
            (CURLMOPT_MAX_TOTAL_CONNECTIONS, configuration.maximumConnections),
            (CURLMOPT_MAXCONNECTS, configuration.maximumConnections),
            (CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX)),
        ]
        for (option, value) in options {
            guard unsafe ccurl_multi_set_long(multi, option, value) == CURLM_OK else {
                unsafe curl_multi_cleanup(multi)
                throw TransportError(.internalError, "libcurl refuses an option")
            }
        }
        try start()
    }

    /// Starts an exchange, or fails it at once when the session is closed.
    func start(_ transfer: Transfer) {
        if !leave({ $0.started.append(transfer) }) { transfer.finish(.failure(Self.closed)) }
    }

    /// Ends an exchange; the caller has its error at once, the connection is given up by the thread.
    func cancel(_ transfer: Transfer) {
        transfer.finish(.failure(CancellationError()))
        _ = leave { $0.cancelled.append(transfer) }
    }

    /// Lets an exchange go on that its reader or writer made wait.
    func resume(_ transfer: Transfer) { _ = leave { $0.resumed.append(transfer) } }

    /// Leaves work for the thread, and wakes it if it waits.
    ///
    /// - Returns: False when the session is closed.
    private func leave(_ work: (inout Queue) -> Void) -> Bool {
        queue.withLock { queue in
            guard !queue.isClosed else { return false }
            work(&queue)
            if queue.isAsleep { wake() }
            queue.isAsleep = false
            return true
        }
    }

    /// Fails all exchanges and waits until the thread has ended, unless it is the thread that calls.
    func close() {
        queue.withLock { queue in
            queue.isClosed = true
            if !queue.hasEnded { wake() }
        }
        // The thread cannot wait for itself, nor for somebody who waits for it.
        guard pthread_self() != threadID.load(ordering: .acquiring) else {
            _ = thread.withLockIfAvailable { thread in
                if let running = thread { pthread_detach(running) }
                thread = nil
            }
            return
        }
        thread.withLock { thread in
            guard let running = thread else { return }
            thread = nil
            pthread_join(running, nil)
        }
    }

    private static let closed = TransportError(.sessionClosed, "the session was closed")

    private func wake() {
        // It fails only for a handle that is not one, or when the pipe is full and the thread wakes anyway.
        _ = unsafe curl_multi_wakeup(multi)
    }

    private func start() throws(TransportError) {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        var started = pthread_t()
        let status = unsafe pthread_create(
            &started,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context
        )
        guard status == 0 else {
            unsafe Unmanaged<TransferLoop>.fromOpaque(context).release()
            unsafe curl_multi_cleanup(multi)
            throw TransportError(.internalError, "the thread cannot be started", errorNumber: status)
        }
        threadID.store(started, ordering: .releasing)
        thread.withLock { $0 = started }
    }

    // MARK: - On the thread

    private func run() {
        // The signals of the program are for its own threads, but for those by which a fault of a task is reported.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for fault in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP] {
            unsafe sigdelset(&signals, fault)
        }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var active = unsafe ActiveTransfers(multi: multi, gate: gate)
        while true {
            runJobs()
            let work = queue.withLock { queue in
                defer { (queue.started, queue.cancelled, queue.resumed) = ([], [], []) }
                return queue
            }
            guard !work.isClosed else {
                work.started.forEach { $0.finish(.failure(Self.closed)) }
                break
            }
            for transfer in work.started { active.add(transfer) }
            for transfer in work.cancelled { active.remove(transfer) }
            for transfer in work.resumed { active.resume(transfer) }
            guard let limit = active.perform() else {
                queue.withLock { $0.isClosed = true }
                continue
            }
            let mayWait = queue.withLock { queue in
                queue.isAsleep = queue.isEmpty && limit > 0
                return queue.isAsleep
            }
            guard mayWait else { continue }
            let hasWaited = active.wait(limit: limit)
            queue.withLock { queue in
                queue.isAsleep = false
                if !hasWaited { queue.isClosed = true }
            }
        }
        active.removeAll(failing: Self.closed)
        queue.withLock { $0.hasEnded = true }
        active.close()
        runJobs()
    }

    /// Runs the jobs that are there, but not those that they leave: exchanges must not wait for tasks without end.
    private func runJobs() {
        let jobs = queue.withLock { queue in
            defer { queue.jobs = [] }
            return queue.jobs
        }
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

extension TransferLoop: TaskExecutor {
    /// Has the thread run a part of a task; when it has ended, the threads that all tasks share.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !leave({ $0.jobs.append(job) }) { globalConcurrentExecutor.enqueue(job) }
    }
}
