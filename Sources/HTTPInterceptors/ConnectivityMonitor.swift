/// Something that knows whether there is a network.
public protocol ConnectivityMonitor: Sendable {
    /// Whether there is a network now, as far as it can be told.
    var isConnected: Bool { get }

    /// Waits until there is one; returns at once when there is.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; a monitor must heed that, because the time limit of
    ///   ``ConnectivityInterceptor`` ends the wait by it.
    func waitUntilConnected() async throws
}
