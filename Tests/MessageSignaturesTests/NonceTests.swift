import Locking
import MessageSignatures
import Testing

@Suite("Message signatures: how long a nonce counts") struct NonceTests {
    private let pair: TestSigner
    private let now = TestSigner.now

    init() throws { pair = try TestSigner(.ed25519) }

    /// What the store of nonces is asked about a signature.
    private func use(
        _ sign: (inout MessageSigner) -> Void,
        _ demand: (inout VerificationPolicy) -> Void
    ) throws -> NonceUse? {
        let message = try TestSigner.request()
        var signer = try pair.signer([.method])
        signer.makeNonce = { "n" }
        signer.keyIdentifier = "k"
        sign(&signer)
        let asked = Mutex<NonceUse?>(nil)
        var policy = VerificationPolicy(requiredComponents: [.method])
        policy.isNonceNew = { use in
            asked.withLock { $0 = use }
            return true
        }
        demand(&policy)
        _ = try pair.verifier(policy).verify(message.adding(signer.signature(of: message)))
        return asked.withLock { $0 }
    }

    private func expected(_ created: Int64?, _ until: Int64) -> NonceUse {
        NonceUse(nonce: "n", owner: "k", created: created, acceptedUntil: until)
    }

    @Test("The earlier of both ends counts, with the difference of the clocks") func ends() throws {
        #expect(
            try use({ $0.lifetime = 15 }, { ($0.maximumAge, $0.clockSkew) = (60, 5) })
                == expected(now, now + 20)
        )
        #expect(
            try use({ $0.lifetime = 90 }, { ($0.maximumAge, $0.clockSkew) = (60, 5) })
                == expected(now, now + 65)
        )
        #expect(try use({ _ in }, { $0.maximumAge = 60 }) == expected(now, now + 60))
        #expect(
            try use({ ($0.lifetime, $0.statesCreated) = (15, false) }, { _ in }) == expected(nil, now + 15)
        )
    }

    @Test("An end beyond all numbers is the last") func overflow() throws {
        #expect(
            try use({ $0.lifetime = 15 }, { ($0.maximumAge, $0.clockSkew) = (.max, .max) })
                == expected(now, .max)
        )
    }

    @Test("A nonce that would have to be kept for ever is refused") func endless() throws {
        #expect(refusal { try use({ _ in }, { _ in }) } == .requiredParameterMissing)
        #expect(refusal { try use({ $0.lifetime = 15 }, { _ in }) } == nil)
    }
}
