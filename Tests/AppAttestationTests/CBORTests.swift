import AppAttestation
import Encodings
import Foundation
import TestVectors
import Testing

@Suite("CBOR") struct CBORTests {
    /// RFC 8949, appendix A: every item that is definite and in its shortest form.
    ///
    /// Made anew for each use: the tag of an enumeration hides what a value in a global owns from LeakSanitizer.
    static var examples: [(String, CBORValue)] {
        [
            ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
            ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)),
            ("1903e8", .unsigned(1000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
            ("1bffffffffffffffff", .unsigned(.max)),
            ("c249010000000000000000", .tagged(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
            ("3bffffffffffffffff", .negative(.max)),
            ("c349010000000000000000", .tagged(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
            ("20", .negative(0)), ("29", .negative(9)), ("3863", .negative(99)), ("3903e7", .negative(999)),
            ("f90000", .float(0)), ("f98000", .float(-0.0)), ("f93c00", .float(1)),
            ("fb3ff199999999999a", .float(1.1)), ("f93e00", .float(1.5)), ("f97bff", .float(65504)),
            ("fa47c35000", .float(100_000)), ("fa7f7fffff", .float(3.4028234663852886e+38)),
            ("fb7e37e43c8800759c", .float(1.0e+300)), ("f90001", .float(5.960464477539063e-8)),
            ("f90400", .float(0.00006103515625)), ("f9c400", .float(-4)),
            ("fbc010666666666666", .float(-4.1)), ("f97c00", .float(.infinity)),
            ("f9fc00", .float(-.infinity)),
            ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("f7", .undefined), ("f0", .simple(16)),
            ("f8ff", .simple(255)),
            ("c074323031332d30332d32315432303a30343a30305a", .tagged(0, .text("2013-03-21T20:04:00Z"))),
            ("c11a514b67b0", .tagged(1, .unsigned(1_363_896_240))),
            ("c1fb41d452d9ec200000", .tagged(1, .float(1_363_896_240.5))),
            ("d74401020304", .tagged(23, .bytes([1, 2, 3, 4]))),
            ("d818456449455446", .tagged(24, .bytes(Array("dIETF".utf8)))),
            (
                "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
                .tagged(32, .text("http://www.example.com"))
            ),
            ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("6161", .text("a")),
            ("6449455446", .text("IETF")), ("62225c", .text("\"\\")), ("62c3bc", .text("ü")),
            ("63e6b0b4", .text("水")), ("64f0908591", .text("𐅑")), ("80", .array([])),
            ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
            (
                "8301820203820405",
                .array([
                    .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
                ])
            ),
            (
                "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
                .array((1...25).map { .unsigned($0) })
            ),
            ("a0", .map([])),
            (
                "a201020304",
                .map([CBORMember(.unsigned(1), .unsigned(2)), CBORMember(.unsigned(3), .unsigned(4))])
            ),
            (
                "a26161016162820203",
                .map([
                    CBORMember(.text("a"), .unsigned(1)),
                    CBORMember(.text("b"), .array([.unsigned(2), .unsigned(3)])),
                ])
            ),
            ("826161a161626163", .array([.text("a"), .map([CBORMember(.text("b"), .text("c"))])])),
            (
                "a56161614161626142616361436164614461656145",
                .map(["a", "b", "c", "d", "e"].map { CBORMember(.text($0), .text($0.uppercased())) })
            ),
        ]
    }

    @Test(arguments: examples)
    func examplesAreRead(hex: String, value: CBORValue) throws {
        let bytes = try Hex.decode(hex)
        #expect(try CBORValue(decoding: bytes) == value)
        #expect(CBOREncoder.encode(value) == bytes)
        for end in 0..<bytes.count {
            let fault = #expect(throws: CBORFault.self) { try CBORValue(decoding: Array(bytes[..<end])) }
            #expect(fault?.code == .truncated)
        }
        let fault = #expect(throws: CBORFault.self) { try CBORValue(decoding: bytes + [0]) }
        #expect(fault == CBORFault(.trailingData, at: bytes.count))
    }

    @Test func notANumberIsRead() throws {
        guard case .float(let value) = try CBORValue(decoding: [0xF9, 0x7E, 0x00]) else {
            Issue.record("not a float")
            return
        }
        #expect(value.isNaN)
    }

    static let malformed: [(String, CBORFault.Code, Int)] = [
        ("", .truncated, 0), ("1800", .notShortest, 0), ("1817", .notShortest, 0),
        ("190000", .notShortest, 0),
        ("1900ff", .notShortest, 0), ("1a0000ffff", .notShortest, 0), ("1b00000000ffffffff", .notShortest, 0),
        ("3817", .notShortest, 0), ("5800", .notShortest, 0), ("780161", .notShortest, 0),
        ("9800", .notShortest, 0), ("b800", .notShortest, 0), ("d80100", .notShortest, 0),
        ("f800", .notShortest, 0), ("f818", .notShortest, 0), ("f81f", .notShortest, 0),
        ("fa3fc00000", .notShortest, 0), ("fa7f800000", .notShortest, 0), ("fa7fc00000", .notShortest, 0),
        ("fb3ff8000000000000", .notShortest, 0), ("fb7ff0000000000000", .notShortest, 0),
        ("fb7ff8000000000000", .notShortest, 0), ("fb40f86a0000000000", .notShortest, 0),
        ("5f42010243030405ff", .indefiniteLength, 0), ("7f657374726561646d696e67ff", .indefiniteLength, 0),
        ("9fff", .indefiniteLength, 0), ("bfff", .indefiniteLength, 0), ("8201bf", .indefiniteLength, 2),
        ("1f", .indefiniteLength, 0), ("df00", .indefiniteLength, 0),
        ("ff", .reserved, 0), ("81ff", .reserved, 1), ("1c", .reserved, 0), ("3d", .reserved, 0),
        ("5e", .reserved, 0), ("fc", .reserved, 0), ("fe", .reserved, 0),
        ("a201000100", .duplicateKey, 3), ("a2616101616102", .duplicateKey, 4),
        ("a2820102008201020a", .duplicateKey, 5),
        ("61ff", .invalidText, 0), ("62c080", .invalidText, 0), ("63eda080", .invalidText, 0),
        ("64f4908080", .invalidText, 0),
        ("5bffffffffffffffff", .truncated, 9), ("9bffffffffffffffff", .truncated, 9),
        ("bb7fffffffffffffff", .truncated, 9), ("9a00ffffff", .truncated, 5), ("a101", .truncated, 2),
        ("c0", .truncated, 1), ("0001", .trailingData, 1),
        (String(repeating: "81", count: 17) + "00", .tooDeep, 16),
        (String(repeating: "c1", count: 17) + "00", .tooDeep, 16),
        (String(repeating: "a100", count: 17) + "00", .tooDeep, 32),
        (String(repeating: "81", count: 60_000), .tooDeep, 16),
        (String(repeating: "00", count: 65_537), .tooLarge, 65_536),
    ]

    @Test(arguments: malformed)
    func otherFormsAreRefused(hex: String, code: CBORFault.Code, offset: Int) throws {
        let bytes = try Hex.decode(hex)
        let fault = #expect(throws: CBORFault.self) { try CBORValue(decoding: bytes) }
        #expect(fault == CBORFault(code, at: offset))
    }

    @Test func keysThatOnlyLookTheSameAreTwo() throws {
        // U+00E9, and e with U+0301: the same text to Swift, two keys to CBOR.
        let value = try CBORValue(decoding: try Hex.decode("a262c3a90163" + "65cc8102"))
        #expect(value.members?.count == 2)
        #expect(value["\u{E9}"]?.integer == 1)
        #expect(value["e\u{301}"]?.integer == 2)
    }

    @Test func depthIsCounted() throws {
        let bytes = [UInt8](repeating: 0x81, count: 16) + [0]
        #expect(throws: Never.self) { try CBORValue(decoding: bytes) }
        // No limit is above 128, however it was set.
        var limits = CBORLimits(maximumDepth: 1_000_000)
        limits.maximumDepth = 1_000_000
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: depth) + [0] }
        #expect(throws: Never.self) { try CBORValue(decoding: nested(128), limits: limits) }
        #expect(throws: CBORFault(.tooDeep, at: 128)) {
            try CBORValue(decoding: nested(129), limits: limits)
        }
    }

    @Test func itemsAreReadOneByOne() throws {
        var reader = try CBORReader([0x01, 0x61, 0x61])
        #expect(try reader.readValue() == .unsigned(1))
        #expect(reader.offset == 1)
        #expect(try reader.readValue().textString == "a")
        #expect(reader.isAtEnd)
        try reader.finish()
    }

    struct Vector: Decodable { let hex: String }

    @Test(.enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)))
    func theWholeAppendixIsReadOrRefusedForItsForm() throws {
        let vectors = try ConformanceData.decode(
            [Vector].self,
            from: "cbor/rfc8949_appendix_a.json",
            absent: []
        )
        #expect(vectors.count >= 80)
        for vector in vectors {
            let bytes = try Hex.decode(vector.hex)
            do throws(CBORFault) {
                let value = try CBORValue(decoding: bytes)
                #expect(CBOREncoder.encode(value) == bytes, "\(vector.hex)")
            } catch {
                #expect(error.code == .indefiniteLength || error.code == .notShortest, "\(vector.hex)")
            }
        }
    }
}
