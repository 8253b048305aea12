import HTTPMessages
import MessageSignatures
import Protection
import Testing

/// Holders of keys that are not ours: another process, a chip, a service.
extension MessageSigningTests {
    private struct Holder: SigningKeyHolder {
        let sign: @Sendable () throws -> [UInt8]

        func installationSignature(of message: [UInt8], publicKey: [UInt8]?) throws -> [UInt8] { try sign() }

        func accountSignature(of message: [UInt8], keyIdentifier: String?) throws -> [UInt8] { try sign() }
    }

    private struct Outage: RetryableError {
        let isRetryable: Bool
    }

    /// Drops the identifier that the service has just put in.
    private struct Untraced: ServiceMutator {
        func processedRequest(_ request: HTTPRequest, mutations: RequestMutations) -> HTTPRequest {
            var request = request
            if let name = mutations.traceIDHeader { request.fields.removeAll(name) }
            return request
        }
    }

    private func error(
        _ keys: SignatureParametersFactory.Keys,
        _ sign: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> ProtectionError? {
        var factory = SignatureParametersFactory()
        factory.keys = keys
        let service = try service(MessageSigningMutator(keys: Holder(sign: sign), factory: factory))
        return await #expect(throws: ProtectionError.self) { try await service.protect(request()) }
    }

    /// DER has 70 to 72 octets; no backend takes it.
    @Test(arguments: [SignatureParametersFactory.Keys.installation, .account], [0, 31, 33, 63, 65, 71])
    func aSignatureOfAnotherFormIsNotSent(keys: SignatureParametersFactory.Keys, count: Int) async throws {
        let error = try await error(keys) { [UInt8](repeating: 1, count: count) }
        #expect(error?.code == .permanent && error?.message.contains("\(count) octets") == true)
    }

    @Test(arguments: [(true, ProtectionError.Code.networking), (false, .permanent)])
    func aPassingFailureOfTheHolderIsPassing(isPassing: Bool, code: ProtectionError.Code) async throws {
        let error = try await error(.installation) { throw Outage(isRetryable: isPassing) }
        #expect(error?.code == code && error?.isRetryable == isPassing && error?.underlying is Outage)
    }

    @Test func aTraceIdentifierThatThePolicyDropsIsNotCovered() async throws {
        let service = try service(mutator(wrapping: Untraced()), traceID: "trace-1")
        let sent = try await service.protect(request())
        #expect(!sent.fields.contains("Protection-TraceID"))
        #expect(try verify(sent).components.contains { $0.identifier == .field("Protection-Token") })
    }
}
