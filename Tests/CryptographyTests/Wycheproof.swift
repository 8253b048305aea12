import Encodings
import Testing
import TestVectors

/// A file of Wycheproof vectors, with what the tests of this target read from it.
struct WycheproofFile: Decodable {
    let testGroups: [Group]

    struct Group: Decodable {
        let publicKeyDer: String?
        let tagSize: Int?
        let tests: [Test]
    }

    struct Test: Decodable {
        let tcId: Int
        let comment: String
        let result: String
        let msg: String
        let sig: String?
        let key: String?
        let tag: String?
        let flags: [String]
    }

    static func cases(_ name: String) throws -> [WycheproofCase] {
        let file = try ConformanceData.decode(
            WycheproofFile.self,
            from: "crypto/wycheproof_\(name)_test.json",
            absent: WycheproofFile(testGroups: [])
        )
        return file.testGroups.flatMap { group in group.tests.map { WycheproofCase(group: group, test: $0) } }
    }
}

/// One vector, with its group.
struct WycheproofCase: Sendable, CustomTestStringConvertible {
    let publicKey: [UInt8]
    let tagBits: Int
    let number: Int
    let result: String
    let message: [UInt8]
    let signature: [UInt8]
    let key: [UInt8]
    let tag: [UInt8]
    let flags: [String]
    let testDescription: String

    init(group: WycheproofFile.Group, test: WycheproofFile.Test) {
        func bytes(_ text: String?) -> [UInt8] { text.flatMap { try? Hex.decode($0) } ?? [] }
        publicKey = bytes(group.publicKeyDer)
        tagBits = group.tagSize ?? 0
        number = test.tcId
        result = test.result
        message = bytes(test.msg)
        signature = bytes(test.sig)
        key = bytes(test.key)
        tag = bytes(test.tag)
        flags = test.flags
        testDescription = "\(test.tcId) \(test.comment) \(test.result)"
    }
}
