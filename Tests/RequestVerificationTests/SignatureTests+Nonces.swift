import Cryptography
import HTTPMessages
import Locking
import MessageSignatures
import ProtectionTesting
import RequestVerification
import Testing
import Timing

extension SignatureTests {
    @Test func withoutAnAgeASignatureMustEnd() throws {
        let verifier = try verifier { $0.maximumAge = nil }
        let signed = try sign(request())
        time.advance(by: .seconds(20))
        _ = try verifier.verify(signed)
        time.advance(by: .seconds(1))
        try refuse(signed, .staleSignature, by: verifier)
        try refuse(sign(request()) { $0.lifetime = nil }, .insufficientSignature, by: verifier)
    }

    @Test func aNonceIsKeptForAsLongAsItsSignatureIsTaken() throws {
        let cache = NonceCache(time: time.source)
        let verifier = try verifier {
            ($0.maximumAge, $0.clockSkew, $0.isNonceNew) = (.seconds(3_600), .seconds(60), cache.insert)
        }
        let signed = try sign(request()) { $0.lifetime = 500 }
        _ = try verifier.verify(signed)
        time.advance(by: .seconds(560))
        try refuse(signed, .replayedSignature, by: verifier)
        time.advance(by: .seconds(1))
        try refuse(signed, .staleSignature, by: verifier)
    }

    @Test func aRestartGivesNoNonceASecondLife() throws {
        func restarted() throws -> RequestVerifier {
            let cache = NonceCache(time: time.source)
            return try verifier { $0.isNonceNew = cache.insert }
        }
        let first = try restarted()
        let signed = try sign(request())
        _ = try first.verify(signed)
        time.advance(by: .seconds(1))
        let second = try restarted()
        try refuse(signed, .replayedSignature, by: second)
        _ = try second.verify(sign(request()))
    }

    @Test func aNonceBelongsToTheInstallationAndLastsForBothSignatures() throws {
        let asked = Mutex<[NonceUse]>([])
        let verifier = try verifier([.installation, .account]) {
            $0.isNonceNew = { use in
                asked.withLock { $0.append(use) }
                return true
            }
        }
        let now = time.source.secondsSince1970
        let signed = try sign(sign(request()) { $0.makeNonce = { "n" } }, .account) {
            ($0.makeNonce, $0.lifetime) = ({ "n" }, 30)
        }
        _ = try verifier.verify(signed)
        let use = NonceUse(nonce: "n", owner: "device-1", created: now, acceptedUntil: now + 35)
        #expect(asked.withLock { $0 } == [use])
    }

    @Test func aNonceIsGoodOnce() throws {
        let cache = NonceCache(time: time.source)
        let verifier = try verifier { $0.isNonceNew = cache.insert }
        let signed = try sign(request())
        _ = try verifier.verify(signed)
        try refuse(signed, .replayedSignature, by: verifier)
        try refuse(sign(request()) { $0.makeNonce = nil }, .insufficientSignature, by: verifier)
        // Whoever cannot sign uses no nonce up.
        let other = try sign(request())
        var tampered = other
        tampered.method = .put
        try refuse(tampered, .invalidSignature, by: verifier)
        _ = try verifier.verify(other)
    }

    @Test func aSecondSignatureThatFailsUsesNoNonceUp() throws {
        let cache = NonceCache(time: time.source)
        let isDown = Mutex(true)
        let verifier = try verifier([.installation, .account]) { policy in
            policy.isNonceNew = cache.insert
            policy.accountKey = { [secret] _ in
                let isDown = isDown.withLock { isDown in
                    defer { isDown = false }
                    return isDown
                }
                guard !isDown else { throw Outage() }
                return try HMACKey(secret, .sha256)
            }
        }
        let signed = try sign(sign(request()), .account)
        try refuse(signed, .unavailable, status: .serviceUnavailable, by: verifier)
        _ = try verifier.verify(signed)
        try refuse(signed, .replayedSignature, by: verifier)
        // Nor does a second one that is wrong.
        let good = try sign(request())
        let wrong = try sign(good, .account) { $0.components = [.method] }
        try refuse(wrong, .insufficientSignature, by: verifier)
        _ = try verifier.verify(sign(good, .account))
    }

    @Test func signaturesMayShareANonce() throws {
        let cache = NonceCache(time: time.source)
        let verifier = try verifier([.installation, .account]) { $0.isNonceNew = cache.insert }
        let signed = try sign(sign(request()) { $0.makeNonce = { "shared" } }, .account) {
            $0.makeNonce = { "shared" }
        }
        #expect(try verifier.verify(signed).signatures.count == 2)
        try refuse(signed, .replayedSignature, by: verifier)
        // One that is known already makes the other no better.
        let half = try sign(sign(request()), .account) { $0.makeNonce = { "shared" } }
        try refuse(half, .replayedSignature, by: verifier)
    }
}
