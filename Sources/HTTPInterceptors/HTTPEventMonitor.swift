public import HTTPMessages

/// Something that watches requests and changes nothing.
///
/// The methods are synchronous, return nothing and cannot throw, so a monitor has no means to change or stop a request.
/// They run on the request's own task: one that takes long delays it. All of them have a default that does nothing. A
/// monitor is given the messages whole, with their secrets.
public protocol HTTPEventMonitor: Sendable {
    /// A request came to the interceptor.
    func requestStarted(_ id: Int, _ request: HTTPRequest)
    /// The request with this number was answered, with any status.
    func requestFinished(
        _ id: Int,
        _ request: HTTPRequest,
        _ response: HTTPResponse,
        after duration: Duration
    )
    /// The request with this number failed.
    func requestFailed(_ id: Int, _ request: HTTPRequest, _ error: any Error, after duration: Duration)
    /// The request with this number ended with a `CancellationError`.
    func requestCancelled(_ id: Int, _ request: HTTPRequest, after duration: Duration)
}

extension HTTPEventMonitor {
    /// Does nothing.
    public func requestStarted(_ id: Int, _ request: HTTPRequest) {}
    /// Does nothing.
    public func requestFinished(
        _ id: Int,
        _ request: HTTPRequest,
        _ response: HTTPResponse,
        after duration: Duration
    ) {}
    /// Does nothing.
    public func requestFailed(
        _ id: Int,
        _ request: HTTPRequest,
        _ error: any Error,
        after duration: Duration
    ) {}
    /// Does nothing.
    public func requestCancelled(_ id: Int, _ request: HTTPRequest, after duration: Duration) {}
}
