import Encodings
import Testing

@Suite("Hex") struct HexTests {
    @Test func roundTrip() throws {
        let octets = (0...255).map(UInt8.init)
        #expect(try Hex.decode(Hex.encode(octets)) == octets)
        #expect(try Hex.decode("00fFA9") == [0x00, 0xFF, 0xA9])
    }

    @Test(arguments: [
        ("0", DecodingFault(.invalidLength, at: 1)), ("0g", DecodingFault(.invalidCharacter, at: 1)),
        ("g0", DecodingFault(.invalidCharacter, at: 0)), ("00 0", DecodingFault(.invalidCharacter, at: 2)),
    ])
    func refuses(text: String, fault: DecodingFault) throws {
        #expect(throws: fault) { try Hex.decode(text) }
    }
}
