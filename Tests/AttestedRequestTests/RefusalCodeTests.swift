import AppAttestationClient
import FoundationEssentials
import TestSupport
import Testing

/// The client gives a key up for the codes that the endpoints refuse with, and knows all of them.
@Suite("Codes of refusals") struct RefusalCodeTests {
    private func codes(in file: String) throws -> Set<String> {
        let path = PackageFolders.root + "/Sources/\(file)"
        let source = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        return Set(source.matches(of: /static let (\w+) = Code/).map { String($0.output.1) })
    }

    /// All codes are read out of the source, so that a new one must find its place here.
    @Test func theClientKnowsThoseOfTheVerifiers() throws {
        let all = try codes(in: "AppAttestation/AttestationError.Code.swift")
        // Assertions, receipts, requests, and what is answered by 503.
        let others: Set<String> = [
            "formatNotAllowed", "counterNotAdvanced", "counterOvertaken", "unknownKey", "storeFailed",
            "malformedReceipt", "invalidReceiptSignature", "receiptMismatch", "receiptExpired",
            "receiptNotExchanged", "invalidRequest", "ambiguousSigningString", "libraryFailure",
        ]
        // Another key would be refused with the others of the endpoints too.
        let own: Set<String> = ["malformedRequest", "contentTooLarge", "wrongSession", "invalidAttestation"]
        #expect(own.isSubset(of: try codes(in: "AttestationAuthority/AuthorityError.swift")))
        #expect(all.count > 30 && others.isSubset(of: all))
        #expect(HTTPAttestationBackend.standardRefusalCodes == all.subtracting(others).union(own))
    }
}
