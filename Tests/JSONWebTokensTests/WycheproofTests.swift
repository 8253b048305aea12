import Encodings
import JSONWebTokens
import TestVectors
import Testing

@Suite(.enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)))
struct WycheproofTests {
    @Test(arguments: try WycheproofCase.all("json_web_key"))
    func keySet(_ vector: WycheproofCase) throws {
        let refusal = code {
            let keys = try JSONWebKeySet(parsing: vector.keys.serialized())
            return try PayloadVerifier(keys: keys).verify(vector.text)
        }
        #expect((refusal == nil) == vector.isValid, "\(refusal?.description ?? "accepted")")
    }

    /// Vectors called valid that are refused here, each with the code that says why.
    static let refused: [Int64: TokenError.Code] = [
        // The key says PS256 and the header PS384. A key has one algorithm (RFC 8725, section 3.1).
        346: .algorithmMismatch, 350: .algorithmMismatch,
        // P-521 is not supported, and "ES521", which the key says, is not the name of its algorithm either.
        347: .unsupportedAlgorithm, 351: .unsupportedAlgorithm,
        // A question mark in the header. RFC 7515, section 2, allows the base64url alphabet alone.
        372: .invalidEncoding,
        // A question mark in the payload, put there after signing: what came is not what was signed.
        373: .invalidSignature,
    ]

    /// Vectors called invalid that are octet for octet the text of number 357, which is called valid and is: the
    /// padding that their names speak of is not in the file.
    static let copiesOfAValidVector: Set<Int64> = [367, 370]

    @Test(arguments: try WycheproofCase.all("json_web_signature"))
    func signature(_ vector: WycheproofCase) throws {
        let refusal = code { try PayloadVerifier(key: JSONWebKey(vector.keys)).verify(vector.text) }
        if let exception = Self.refused[vector.number] {
            #expect(vector.isValid)
            #expect(refusal == exception)
        } else if Self.copiesOfAValidVector.contains(vector.number) {
            let original = try WycheproofCase.all("json_web_signature").first { $0.number == 357 }
            #expect(!vector.isValid)
            #expect(try #require(original).text == vector.text)
            #expect(refusal == nil)
        } else {
            #expect((refusal == nil) == vector.isValid, "\(refusal?.description ?? "accepted")")
        }
    }

    /// Nothing above means anything if the files were not read.
    @Test func everyVectorIsThere() throws {
        #expect(try WycheproofCase.all("json_web_key").count == 26)
        #expect(try WycheproofCase.all("json_web_signature").count == 401)
    }
}
