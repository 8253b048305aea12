import CMicroHTTPD
import HTTPMessages
import Locking

/// What the library's callbacks and the handlers' tasks share.
///
/// It knows every suspended connection. A connection is resumed exactly once, by its task or by the stop, whoever takes
/// it out of the list first, and under the lock: after ``drain()`` none is suspended and none will be.
final class ServerCore: Sendable {
    private struct State {
        var isStopping = false
        var suspended: [ObjectIdentifier: (exchange: Exchange, task: Task<Void, Never>)] = [:]
    }

    let configuration: HTTPServer.Configuration
    let deadlines: RequestDeadlines
    private let handler: any HTTPHandler
    private let state = Mutex(State())

    init(configuration: HTTPServer.Configuration, handler: any HTTPHandler) {
        self.configuration = configuration
        deadlines = RequestDeadlines(
            limit: configuration.requestTimeout,
            responseLimit: configuration.responseTimeout
        )
        self.handler = handler
    }

    /// Handles one call for a request: its head, a piece of its content, its end, or its answer.
    ///
    /// `upload` is the piece of content, empty on every other call; the caller then marks it as consumed. The result
    /// says whether the connection goes on.
    func advance(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>,
        upload: UnsafeRawBufferPointer
    ) -> Bool {
        let phase = exchange.state.withLock { $0.phase }
        switch phase {
        case .started: return unsafe start(exchange, method: method, version: version)
        case .receiving where unsafe !upload.isEmpty: return unsafe receive(upload, for: exchange)
        case .discarding where unsafe !upload.isEmpty: return discard(upload.count, for: exchange)
        case .receiving: return dispatch(exchange)
        case .discarding: return refuse(.contentTooLarge, exchange)
        case .answered(let response): return queue(response, for: exchange)
        case .suspended, .queued: return false
        }
    }

    /// Answers and resumes every suspended connection, lets no connection be suspended again, and cancels the handlers.
    func drain() {
        let tasks = state.withLock { state in
            defer { state.suspended = [:] }
            state.isStopping = true
            return state.suspended.values.map { exchange, task in
                Self.resume(exchange, with: HTTPResponse(status: .serviceUnavailable))
                return task
            }
        }
        // Cancelling runs code of the handlers, which may ask for a lock, or for the server to stop.
        for task in tasks { task.cancel() }
    }

    func report(_ error: HTTPServerError) {
        configuration.onError?(error)
    }

    private func start(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) -> Bool {
        let line = unsafe RequestHead.Line(
            method: method,
            rawTarget: exchange.rawTarget,
            targetAddress: exchange.targetAddress,
            version: version
        )
        let result = unsafe RequestHead.read(
            line,
            scheme: configuration.tls == nil ? "http" : "https",
            connection: exchange.connection
        )
        switch result {
        case .failure(let refusal): return refuse(refusal, exchange)
        case .success(let head) where head.contentLength ?? 0 > configuration.maximumBodySize:
            return refuse(.contentTooLarge, exchange)
        case .success(let head):
            exchange.state.withLock {
                $0.head = head
                $0.body.reserveCapacity(head.contentLength ?? 0)
                $0.phase = .receiving
            }
            return true
        }
    }

    private func receive(_ upload: UnsafeRawBufferPointer, for exchange: Exchange) -> Bool {
        exchange.state.withLock { state in
            if state.body.count + upload.count > configuration.maximumBodySize {
                state.body = []
                state.discarded = upload.count
                state.phase = .discarding
            } else {
                unsafe state.body.append(contentsOf: upload)
            }
        }
        return true
    }

    private func discard(_ count: Int, for exchange: Exchange) -> Bool {
        exchange.state.withLock {
            $0.discarded += count
            return $0.discarded <= Exchange.drainLimit(for: configuration.maximumBodySize)
        }
    }

    /// Suspends the connection and starts the handler.
    private func dispatch(_ exchange: Exchange) -> Bool {
        // Who hears no answer must not have anything done.
        guard unsafe deadlines.pause(exchange.connection) else { return false }
        let (head, body) = exchange.state.withLock { state in
            defer { state.body = [] }
            state.phase = .suspended
            return (state.head, state.body)
        }
        guard let head else { return false }
        let request = ServedRequest(
            method: head.method,
            rawTarget: exchange.rawTarget,
            target: head.target,
            fields: head.fields,
            body: body,
            remoteAddress: unsafe SocketAddress.text(of: cmhd_client_address(exchange.connection))
        )
        let isSuspended = state.withLock { state in
            guard !state.isStopping else { return false }
            unsafe MHD_suspend_connection(exchange.connection)
            let task = Task { self.answer(exchange, with: await self.handler.respond(to: request)) }
            state.suspended[ObjectIdentifier(exchange)] = (exchange, task)
            return true
        }
        return isSuspended || queue(HTTPResponse(status: .serviceUnavailable), for: exchange)
    }

    private func answer(_ exchange: Exchange, with response: HTTPResponse) {
        state.withLock { state in
            guard state.suspended.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
            Self.resume(exchange, with: response)
        }
    }

    private static func resume(_ exchange: Exchange, with response: HTTPResponse) {
        exchange.state.withLock { $0.phase = .answered(response) }
        unsafe MHD_resume_connection(exchange.connection)
    }

    private func refuse(_ refusal: Refusal, _ exchange: Exchange) -> Bool {
        guard unsafe deadlines.pause(exchange.connection) else { return false }
        var response = HTTPResponse(status: refusal.status)
        // What follows a request that was not understood cannot be trusted to be a request.
        try? response.fields.append("close", for: "Connection")
        return queue(response, for: exchange)
    }

    private func queue(_ response: HTTPResponse, for exchange: Exchange) -> Bool {
        exchange.state.withLock { $0.phase = .queued }
        unsafe deadlines.answer(exchange.connection)
        do throws(HTTPServerError) {
            try unsafe ResponseQueue.add(response, to: exchange.connection)
            return true
        } catch {
            report(error)
        }
        do throws(HTTPServerError) {
            try unsafe ResponseQueue.add(HTTPResponse(status: .internalServerError), to: exchange.connection)
            return true
        } catch {
            return false
        }
    }
}
