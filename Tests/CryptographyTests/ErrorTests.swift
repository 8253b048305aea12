import Testing

@testable import Cryptography

@Suite struct ErrorTests {
    @Test func descriptionHasCodeMessageAndDetail() {
        let plain = CryptographyError(.invalidInput, "too long")
        #expect("\(plain)" == "invalidInput: too long")
        let detailed = CryptographyError(.libraryFailure, "f failed", detail: "error:1")
        #expect("\(detailed)" == "libraryFailure: f failed (error:1)")
        #expect(plain != detailed)
    }

    @Test func openSSLSpeaksOnce() throws {
        // Well framed, so that the octets reach OpenSSL, which cannot read them.
        let der = SecretBytes([0x30, 0x08, 0x02, 0x01, 0x00, 0x30, 0x00, 0x04, 0x01, 0x00])
        let first = try #require(throws: CryptographyError.self) { try PrivateKey(der: der) }
        #expect(first.detail.contains("error:"))
        // The queue was emptied: a second failure has its own words only.
        let second = try #require(throws: CryptographyError.self) { try PrivateKey(der: der) }
        #expect(second.detail == first.detail)
    }

    /// No input makes OpenSSL fail where it should not, so the one place that says so is called directly.
    @Test func statusOtherThanOneIsAFailure() throws {
        for status: Int32 in [0, -1, 2] {
            let error = try #require(throws: CryptographyError.self) { try OpenSSLErrors.check(status, "f") }
            #expect(error.code == .libraryFailure)
        }
        try OpenSSLErrors.check(1, "f")
    }
}
