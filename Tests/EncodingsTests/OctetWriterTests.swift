import Encodings
import Testing

@Suite("Octet writer") struct OctetWriterTests {
    private struct Stop: Error {}

    /// From less room than the first piece takes to more than all of them.
    @Test(arguments: [0, 1, 7, 64, 4096])
    func growsWithItsPieces(room: Int) {
        let octets = OctetWriter.array(growingFrom: room) { output in
            for number in 0..<100 {
                output.append(UInt8(number))
                output.append("abc")
                output.append([1, 2, 3, 4, 5])
                output.appendHex([0xA0, 0x0F].span)
                output.append(0x2F, 0x30, 0x31, 0x32)
            }
        }
        var expected: [UInt8] = []
        for number in 0..<100 {
            expected.append(UInt8(number))
            expected += Array("abc".utf8) + [1, 2, 3, 4, 5] + Array("a00f/012".utf8)
        }
        #expect(octets == expected)
    }

    @Test func givesTextOfAnyLength() {
        for count in [0, 1, 15, 16, 128, 129, 1000] {
            let text = OctetWriter.text { output in for _ in 0..<count { output.append("é") } }
            #expect(text == String(repeating: "é", count: count))
        }
    }

    @Test func givesUpWithTheError() {
        #expect(throws: Stop.self) {
            try OctetWriter.array(growingFrom: 8) { output throws(Stop) in
                output.append("written in vain")
                throw Stop()
            }
        }
    }

    @Test func knowsWhatIsPrintable() {
        _ = OctetWriter.array(capacity: 16) { output in
            output.append("abc\nd~ \u{7F}")
            let answers = (0...8).map { output.isPrintable(from: $0) }
            #expect(answers == [false, false, false, false, false, false, false, false, true])
            output.replaceLast(by: UInt8(ascii: "e"))
            let others = (0...8).map { output.isPrintable(from: $0) }
            #expect(others == [false, false, false, false, true, true, true, true, true])
        }
    }

    @Test func lendsWhatIsWritten() {
        var lent: [UInt8] = []
        _ = OctetWriter.array(capacity: 8) { output in
            output.append("abcdef")
            output.withOctets(from: 4) { octets in for place in octets.indices { lent.append(octets[place]) }
            }
        }
        #expect(lent == Array("ef".utf8))
    }
}
