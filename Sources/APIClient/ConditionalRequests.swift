import Cryptography
import HTTPMessages

/// Asks for a representation only when it is another than the one that is kept.
///
/// Nothing is ever answered without asking the server, so freshness does not matter. It stands inside the interceptors
/// that add credentials, so that they tell requests apart.
struct ConditionalRequests: HTTPInterceptor {
    let cache: ResponseCache

    func intercept(
        _ request: HTTPRequest,
        next: @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        let own: [HTTPField.Name] = [
            "If-None-Match", "If-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range",
        ]
        guard request.method == .get, request.body == nil, !request.options.streamsResponse,
            !own.contains(where: request.fields.contains)
        else { return try await next(request) }
        let key = try CachedResponse.key(of: request, ignored: cache.ignoredFields)
        let epoch = cache.epoch
        guard let entry = cache.entry(key) else {
            return try await store(next(request), to: request, key, since: epoch)
        }
        var conditional = request
        try conditional.fields.set(entry.etag, for: "If-None-Match")
        let response = try await next(conditional)
        guard response.status.code == 304 else {
            return await store(response, to: request, key, since: epoch)
        }
        if let tag = response.fields["ETag"], !EntityTag.matchWeakly(tag, entry.etag) {
            // The server speaks of a representation that is not the one here.
            await cache.remove(key)
            return try await store(next(request), to: request, key, since: epoch)
        }
        var updated = entry
        updated.update(with: response)
        let whole = HTTPResponse(
            status: .ok,
            fields: updated.fields,
            body: updated.body,
            metrics: response.metrics,
            target: response.target
        )
        return await store(whole, to: request, key, since: epoch)
    }

    private func store(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        _ key: String,
        since epoch: UInt64
    ) async -> HTTPResponse {
        if let entry = CachedResponse(response, to: request, ignored: cache.ignoredFields) {
            await cache.store(entry, key, since: epoch)
        } else if response.status.isSuccess || [404, 410].contains(response.status.code) {
            await cache.remove(key)
        }
        return response
    }
}
