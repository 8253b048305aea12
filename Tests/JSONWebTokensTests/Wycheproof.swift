import Encodings
import TestVectors
import Testing

/// One Wycheproof vector: the keys of its group, in JSON, and a compact JWS.
struct WycheproofCase: Sendable, CustomTestStringConvertible {
    let keys: JSONObject
    let number: Int64
    let isValid: Bool
    let text: String
    let testDescription: String

    static func all(_ name: String) throws -> [WycheproofCase] {
        guard ConformanceData.isPresent else { return [] }
        let file = try JSONValue(parsing: Array(ConformanceData.bytes("crypto/wycheproof_\(name)_test.json")))
        return try (file.object?["testGroups"]?.array ?? []).flatMap { group in
            let group = try #require(group.object)
            // A verifier has the public keys; groups of secrets have no others.
            let keys = try #require(group["public"]?.object ?? group["private"]?.object)
            return try (group["tests"]?.array ?? []).map { test in
                let test = try #require(test.object)
                let number = try #require(test["tcId"]?.integer)
                let result = try #require(test["result"]?.string)
                return WycheproofCase(
                    keys: keys,
                    number: number,
                    isValid: result == "valid",
                    text: try #require(test["jws"]?.string),
                    testDescription: "\(number) \(test["comment"]?.string ?? "") \(result)"
                )
            }
        }
    }
}
