import AppAttestation
import Testing

@Suite("Writing CBOR") struct CBORWriterTests {
    @Test(
        arguments: [
            (.unsigned(23), [0x17]), (.unsigned(24), [0x18, 24]), (.unsigned(256), [0x19, 1, 0]),
            (.unsigned(65_536), [0x1A, 0, 1, 0, 0]), (.unsigned(1 << 32), [0x1B, 0, 0, 0, 1, 0, 0, 0, 0]),
            (.negative(6), [0x26]), (.bytes([1]), [0x41, 1]), (.text("a"), [0x61, 0x61]),
            (.array([.null, .undefined]), [0x82, 0xF6, 0xF7]), (.tagged(1, .bool(true)), [0xC1, 0xF5]),
            (.simple(3), [0xE3]), (.simple(255), [0xF8, 255]), (.float(1.5), [0xF9, 0x3E, 0]),
            (.float(100_000), [0xFA, 0x47, 0xC3, 0x50, 0]),
            (.float(1.1), [0xFB, 0x3F, 0xF1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9A]),
            (.float(.infinity), [0xF9, 0x7C, 0]), (.float(.nan), [0xF9, 0x7E, 0]),
            // RFC 8949, section 4.2.1: in the order of the octets of the keys.
            (
                .map([
                    CBORMember(.bool(false), .unsigned(1)), CBORMember(.text("aa"), .unsigned(2)),
                    CBORMember(.text("z"), .unsigned(3)), CBORMember(.negative(0), .unsigned(4)),
                    CBORMember(.unsigned(100), .unsigned(5)), CBORMember(.unsigned(10), .unsigned(6)),
                ]),
                [0xA6, 0x0A, 6, 0x18, 100, 5, 0x20, 4, 0x61, 0x7A, 3, 0x62, 0x61, 0x61, 2, 0xF4, 1]
            ),
        ] as [(CBORValue, [UInt8])]
    )
    func eachValueHasOneForm(value: CBORValue, octets: [UInt8]) throws {
        #expect(CBORWriter.encode(value) == octets)
        let read = try CBORValue(decoding: octets)
        #expect(CBORWriter.encode(read) == octets)
    }
}
