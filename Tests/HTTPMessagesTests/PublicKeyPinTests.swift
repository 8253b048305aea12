import HTTPMessages
import Testing

@Suite("Pins") struct PublicKeyPinTests {
    /// The SHA-256 of no octets.
    private let text = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test func aPinHasTwoForms() throws {
        let pin = try PublicKeyPin(parsing: text)
        #expect(try pin == PublicKeyPin(parsing: "sha256/" + text))
        #expect(pin.base64 == text && pin.description == "sha256/" + text && pin.sha256.count == 32)
    }

    @Test(arguments: [
        "", "sha256/", "AA==", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "SHA256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
    ])
    func whatIsNoPinIsRefused(text: String) throws {
        let error = try #require(throws: HTTPMessageError.self) { try PublicKeyPin(parsing: text) }
        #expect(error.code == .invalidPin)
    }

    @Test func aHostCountsBeforeAWildcardAndThatBeforeTheOthers() throws {
        let sets = try (0..<3).map { PinSet([try PublicKeyPin(sha256: [UInt8](repeating: $0, count: 32))]) }
        var policy = PinningPolicy(others: sets[2])
        policy[try HostPattern("*.example.com")] = sets[1]
        policy[try HostPattern("api.example.com")] = sets[0]
        #expect(policy.pins(for: "api.example.com") == sets[0])
        #expect(policy.pins(for: "a.example.com") == sets[1])
        #expect(policy.pins(for: "b.a.example.com") == sets[2])
        policy[try HostPattern("api.example.com")]?.expiresAt = 10
        policy[try HostPattern("*.example.com")]?.expiresAt = 20
        let times: [Int64] = [9, 10, 20]
        #expect(times.map { policy.pins(for: "api.example.com", at: $0)?.pins } == sets.map(\.pins))
        policy.others = nil
        #expect(policy.pins(for: "api.example.com", at: 20) == nil)
        #expect(policy.pins(for: "example.com") == nil && !policy.isEmpty && PinningPolicy().isEmpty)
    }
}
