import AttestationAuthority
import Testing

@Suite("Secure strings of installations") struct SecureStringTests {
    private let fixture: AuthorityFixture

    init() async throws { fixture = try await AuthorityFixture() }

    private func string(
        _ installation: Installation,
        _ key: String = "key",
        _ definition: String? = nil
    ) async throws -> String {
        try await fixture.authority.secureString(
            fixture.stringAccess(installation.id, key, definition),
            key: key,
            newDefinition: definition
        )
    }

    private func code(_ body: () async throws -> Void) async throws -> AuthorityError.Code {
        try await #require(throws: AuthorityError.self) { try await body() }.code
    }

    @Test func whatAnInstallationDefinesIsItsOwn() async throws {
        let (first, second) = (try await fixture.enroll(), try await fixture.enroll())
        try await fixture.authority.setSecureString("key", account: "account-1", to: "operator's")
        #expect(try await string(second) == "operator's")
        #expect(try await string(second, "key", "own") == "own")
        #expect(try await string(second) == "own")
        #expect(try await string(first) == "operator's")
        #expect(try await string(second, "key", "") == "operator's")
        #expect(try await string(first) == "operator's")
        // Once more: there is nothing of its own left to delete.
        #expect(try await string(second, "key", "") == "operator's")
        try await fixture.authority.setSecureString("key", account: "account-1", to: nil)
        #expect(try await code { _ = try await string(first) } == .unknownStringKey)
    }

    @Test func definitionsAreBounded() async throws {
        let (first, second) = (try await fixture.enroll(), try await fixture.enroll())
        let longest = String(repeating: "é", count: AttestationAuthority.maximumSecureStringLength / 2)
        #expect(try await string(first, "key", longest) == longest)
        #expect(
            try await code { _ = try await string(first, "key", longest + "!") } == .secureStringTooLong
        )
        let refusal = try await code {
            try await fixture.authority.setSecureString("key", account: "account-1", to: longest + "!")
        }
        #expect(refusal == .secureStringTooLong)
        for number in 1..<AttestationAuthority.maximumOwnSecureStrings {
            _ = try await string(first, "key-\(number)", "secret")
        }
        #expect(try await code { _ = try await string(first, "more", "x") } == .tooManySecureStrings)
        // One that is there can be changed; one that goes makes room; another installation has its own number.
        #expect(try await string(first, "key", "changed") == "changed")
        #expect(try await string(second, "more", "x") == "x")
        #expect(try await code { _ = try await string(first, "key", "") } == .unknownStringKey)
        #expect(try await string(first, "more", "x") == "x")
    }
}
