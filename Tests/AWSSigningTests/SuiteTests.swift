import AWSSigning
import Cryptography
import Encodings
import HTTPMessages
import TestVectors
import Testing

@Suite(
    "AWS signing test suite",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct SuiteTests {
    @Test func theSuiteIsWhole() { #expect(SuiteCase.all.count == 38) }

    @Test(arguments: SuiteCase.all) func header(_ suiteCase: SuiteCase) throws {
        let signed = try RequestSigner(suiteCase.profile(isQuery: false))
            .sign(suiteCase.request(), with: suiteCase.credentials(), at: Example.suiteDate)
        #expect(signed.canonicalRequest.text == (try suiteCase.text("header-canonical-request.txt")))
        #expect(signed.stringToSign.text == (try suiteCase.text("header-string-to-sign.txt")))
        #expect(signed.signature == (try suiteCase.text("header-signature.txt")))
        let expected = SuiteCase.Message(try suiteCase.text("header-signed-request.txt"))
        #expect(SuiteCase.Message(signed.request) == expected)
    }

    @Test(arguments: SuiteCase.all) func query(_ suiteCase: SuiteCase) throws {
        let signed = try RequestSigner(suiteCase.profile(isQuery: true)).presign(
            suiteCase.request(),
            with: suiteCase.credentials(),
            expiresIn: .seconds(3_600),
            at: Example.suiteDate
        )
        #expect(signed.canonicalRequest.text == (try suiteCase.text("query-canonical-request.txt")))
        #expect(signed.stringToSign.text == (try suiteCase.text("query-string-to-sign.txt")))
        #expect(signed.signature == (try suiteCase.text("query-signature.txt")))
        let expected = SuiteCase.Message(try suiteCase.text("query-signed-request.txt"))
        #expect(SuiteCase.Message(signed.request) == expected)
    }

    /// SigV4a signs the same canonical form with one field more.
    @Test(arguments: SuiteCase.all) func asymmetricHeader(_ suiteCase: SuiteCase) throws {
        let signed = try RequestSigner(
            suiteCase.profile(isQuery: false),
            scheme: .ecdsa(regions: ["us-east-1"])
        ).sign(suiteCase.request(), with: suiteCase.credentials(), at: Example.suiteDate)
        var lines = try lines(of: suiteCase, "header-canonical-request.txt")
        let end = lines.count - 2
        lines[3..<end - 1] =
            (lines[3..<end - 1] + ["x-amz-region-set:us-east-1"]).sorted {
                $0.prefix { $0 != ":" } < $1.prefix { $0 != ":" }
            }[...]
        let names = lines.count - 2
        lines[names] = (lines[names].split(separator: ";") + ["x-amz-region-set"]).sorted().joined(
            separator: ";"
        )
        #expect(signed.canonicalRequest.text == lines.joined(separator: "\n"))
        try verify(signed)
        #expect(signed.request[.authorization]?.hasSuffix("Signature=\(signed.signature)") == true)
        #expect(signed.request["X-Amz-Region-Set"] == "us-east-1")
    }

    @Test(arguments: SuiteCase.all) func asymmetricQuery(_ suiteCase: SuiteCase) throws {
        let signed = try RequestSigner(
            suiteCase.profile(isQuery: true),
            scheme: .ecdsa(regions: ["us-east-1"])
        ).presign(
            suiteCase.request(),
            with: suiteCase.credentials(),
            expiresIn: .seconds(3_600),
            at: Example.suiteDate
        )
        var lines = try lines(of: suiteCase, "query-canonical-request.txt")
        var parameters = lines[2].split(separator: "&").map(String.init)
        for index in parameters.indices {
            if parameters[index].hasPrefix("X-Amz-Algorithm=") {
                parameters[index] = "X-Amz-Algorithm=AWS4-ECDSA-P256-SHA256"
            }
            if parameters[index].hasPrefix("X-Amz-Credential=") {
                parameters[index] = "X-Amz-Credential=AKIDEXAMPLE%2F20150830%2Fservice%2Faws4_request"
            }
        }
        lines[2] = (parameters + ["X-Amz-Region-Set=us-east-1"]).sorted {
            $0.prefix { $0 != "=" } < $1.prefix { $0 != "=" }
        }.joined(separator: "&")
        #expect(signed.canonicalRequest.text == lines.joined(separator: "\n"))
        try verify(signed)
        #expect(
            signed.request.target.query?.hasSuffix(
                "&X-Amz-Signature=\(signed.signature)"
            ) == true
        )
    }

    private func lines(of suiteCase: SuiteCase, _ file: String) throws -> [String] {
        try suiteCase.text(file).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func verify(_ signed: SignedRequest) throws {
        #expect(
            signed.stringToSign.text.hasPrefix("AWS4-ECDSA-P256-SHA256\n20150830T123600Z\n20150830/service/")
        )
        #expect(
            try Example.publicKey().isValidSignature(
                Hex.decode(signed.signature),
                for: signed.stringToSign.bytes,
                using: .ecdsaP256SHA256,
                encoding: .der
            )
        )
    }
}
