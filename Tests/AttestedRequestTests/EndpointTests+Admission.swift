import AppAttestation
import AppAttestationClient
import AttestationAuthority
import Encodings
import HTTPMessages
import Testing

extension EndpointTests {
    enum Admission: CaseIterable { case yes, no, trouble }

    @Test(arguments: Admission.allCases) func whoeverMayNotHaveAKeyHasNone(admission: Admission) async throws
    {
        let fixture = try Fixture(admits: { kind, attestation, request in
            #expect(kind == .installations && request.target.path == "/installations/attest")
            #expect(attestation.key.format == .installationKey)
            guard admission != .trouble else { throw BrokenStore.Failure() }
            return admission == .yes
        })
        let key = try fixture.provider.generateKey()
        let body = try await fixture.submission(fixture.challenge(), key: key)
        let expected =
            switch admission {
            case .yes: Answer(204)
            case .no: Answer(403, "notAdmitted")
            case .trouble: Answer(503, "storeFailed")
            }
        #expect(try await fixture.attest(body) == expected)
        let kept = await fixture.keys.key(try Base64.standard.decode(key))
        #expect((kept != nil) == (admission == .yes))
    }
}
