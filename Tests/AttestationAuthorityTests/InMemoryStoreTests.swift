import AttestationAuthority
import Testing

@Suite("The authority's store in memory") struct InMemoryStoreTests {
    @Test func theStoreForgetsOldOutcomes() async throws {
        let store = InMemoryAuthorityStore(maximumAttestations: 10)
        for number in 0..<11 {
            try await store.addAttestation(
                Attestation(arc: "\(number)", installation: "i", date: 0, rejectionReasons: [])
            )
        }
        #expect(try await store.attestation(arc: "4") == nil)
        #expect(try await store.attestation(arc: "5") != nil)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (2, 2), (3, 3)])
    func aStoreKeepsNoMoreOutcomesThanItMay(maximum: Int, kept: Int) async throws {
        let store = InMemoryAuthorityStore(maximumAttestations: maximum)
        for number in 0..<20 {
            try await store.addAttestation(
                Attestation(arc: "\(number)", installation: "i", date: 0, rejectionReasons: [])
            )
            var count = 0
            for arc in 0...number where try await store.attestation(arc: "\(arc)") != nil { count += 1 }
            #expect(count <= kept && (kept == 0 || count > 0))
        }
        #expect((try await store.attestation(arc: "19") != nil) == (kept > 0))
    }
}
