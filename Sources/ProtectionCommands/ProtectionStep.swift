import HTTPMessages
import Locking
import Protection

/// Protects each request that passes, times and tells what happens to it, and remembers the last.
///
/// A retry and a hop of a redirect pass here too, and are protected as requests of their own.
final class ProtectionStep: HTTPInterceptor {
    private let service: ProtectionService
    private let times: StepTimes
    /// Where each decision is told; nil tells none.
    private let teller: Console?
    private let last = Mutex<RequestUpdate?>(nil)

    init(service: ProtectionService, times: StepTimes, teller: Console?) {
        self.service = service
        self.times = times
        self.teller = teller
    }

    /// What the service made of the last request.
    var update: RequestUpdate? { last.withLock { $0 } }

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let update = await times.measure("protection in all") { await service.updateRequest(request) }
        last.withLock { $0 = update }
        tell(update)
        if let error = update.error { throw error }
        let response = try await times.measure("transport") { try await next(update.request) }
        tell(response)
        return response
    }

    /// The lengths of the values are told, and never the values.
    private func tell(_ update: RequestUpdate) {
        guard let teller else { return }
        teller.note("* decision: \(update.decision), \(update.message.escapingControls)")
        guard update.error == nil else { return }
        let mutations = update.mutations
        if let name = mutations.tokenHeader { teller.note("* token attached in \(name)") }
        for name in mutations.substitutedHeaders { teller.note("* secret put in \(name)") }
        for name in mutations.substitutedQueryParameters {
            teller.note("* secret put in query parameter \(name.escapingControls)")
        }
        teller.note("> \(update.request)")
        for field in update.request.fields { teller.note("> \(field)") }
        if let body = update.request.body { teller.note("> \(body)") }
    }

    private func tell(_ response: HTTPResponse) {
        guard let teller else { return }
        teller.note("< \(response)")
        for field in response.fields { teller.note("< \(field)") }
    }
}
