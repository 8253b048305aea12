import HTTPMessages
import Locking
import MessageSignatures
import StructuredFields
import Testing

@Suite("Message signatures: responses") struct ResponseTests {
    private let pair: TestSigner
    private let content = Array("content".utf8)

    init() throws { pair = try TestSigner(.ed25519) }

    /// Content that comes in pieces, with trailers at its end.
    private final class Pieces: HTTPByteStream.Source {
        private let left: Mutex<[[UInt8]]>
        private let last: HTTPFields

        init(_ pieces: [[UInt8]], trailers: HTTPFields = HTTPFields()) {
            left = Mutex(pieces)
            last = trailers
        }

        func next() async throws -> [UInt8]? {
            left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }

        var trailers: HTTPFields { left.withLock { $0.isEmpty ? last : HTTPFields() } }
    }

    private func verify(
        _ response: HTTPResponse,
        _ change: (inout VerificationPolicy) -> Void = { _ in }
    ) throws -> VerifiedMessage {
        var policy = VerificationPolicy(requiredComponents: [.status])
        change(&policy)
        return try pair.verifier(policy).verify(SignableMessage(response, answering: nil))
    }

    @Test("Content that comes as a stream is not taken for empty", arguments: ["content", ""])
    func stream(_ digested: String) async throws {
        var response = HTTPResponse(status: .ok, body: Array(digested.utf8))
        try response.fields.set(DigestField(of: response.body).serialized, for: .contentDigest)
        let signer = try pair.signer([.status, .contentDigest])
        var signed = try signer.sign(response, answering: nil)
        #expect(try verify(signed).isContentVerified)
        signed.body = []
        signed.stream = HTTPByteStream(Pieces([content]))
        #expect(SignableMessage(signed, answering: nil).content == nil)
        #expect(refusal { try verify(signed) } == .contentUnavailable)
        #expect(try !verify(signed) { $0.checksContentDigest = false }.isContentVerified)
        // What was read may take its place.
        signed.body = try await #require(signed.stream?.collect(upTo: 100))
        signed.stream = nil
        #expect(refusal { try verify(signed) } == (digested.isEmpty ? .contentDigestMismatch : nil))
    }

    @Test("Nor is a digest of a stream vouched for") func signingStream() throws {
        var response = HTTPResponse(status: .ok, stream: HTTPByteStream(Pieces([content])))
        try response.fields.set(DigestField(of: []).serialized, for: .contentDigest)
        var signer = try pair.signer([.status, .contentDigest])
        #expect(refusal { try signer.sign(response, answering: nil) } == .contentUnavailable)
        signer.checksContentDigest = false
        #expect(throws: Never.self) { try signer.sign(response, answering: nil) }
    }

    @Test(
        "The content of a request that is not in memory is not at hand",
        arguments: [
            HTTPBody(file: "/nowhere"), HTTPBody(HTTPBodyStream(AsyncStream<[UInt8]> { $0.finish() })),
        ]
    )
    func request(_ body: HTTPBody) throws {
        var request = try HTTPRequest(method: .put, url: "https://a.test/", body: body)
        try request.fields.set(DigestField(of: []).serialized, for: .contentDigest)
        #expect(SignableMessage(request).content == nil)
        #expect(
            refusal { try pair.signer([.method, .contentDigest]).sign(request) } == .contentUnavailable
        )
    }

    @Test("Trailers of a response are covered, and hold a signature") func trailers() throws {
        var response = HTTPResponse(status: .ok, body: content)
        try response.trailers.append("end", for: "X")
        let components = try [.status, ComponentIdentifier("x", parameters: ["tr": true])]
        var signer = try pair.signer(components)
        #expect(try verify(signer.sign(response, answering: nil)).components.count == 2)
        signer.signsInTrailers = true
        let signed = try signer.sign(response, answering: nil)
        #expect(!signed.fields.contains("Signature"))
        #expect(try verify(signed) { $0.readsTrailers = true }.components.count == 2)
        #expect(refusal { try verify(signed) } == .unsignedMessage)
        var changed = signed
        try changed.trailers.set("other", for: "X")
        #expect(refusal { try verify(changed) { $0.readsTrailers = true } } == .signatureInvalid)
    }

    @Test("A request has no trailers to sign in") func requestWithoutTrailers() throws {
        var signer = try pair.signer([.method, .contentDigest])
        signer.signsInTrailers = true
        let request = try HTTPRequest(method: .put, url: "https://a.test/")
        #expect(refusal { try signer.sign(request) } == .trailersUnavailable)
        #expect(refusal { try signer.sign(request, digesting: [.sha256]) } == .trailersUnavailable)
    }

    @Test("Trailers of a stream are there after its end") func trailersOfStream() async throws {
        let whole = HTTPResponse(status: .ok, body: content)
        var signer = try pair.signer([.status])
        signer.signsInTrailers = true
        let trailers = try signer.sign(whole, answering: nil).trailers
        let stream = HTTPByteStream(Pieces([content], trailers: trailers))
        let response = HTTPResponse(status: .ok, stream: stream)
        #expect(refusal { try verify(response) { $0.readsTrailers = true } } == .unsignedMessage)
        _ = try await stream.collect(upTo: 100)
        #expect(throws: Never.self) { try verify(response) { $0.readsTrailers = true } }
    }
}
