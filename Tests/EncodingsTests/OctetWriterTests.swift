import Encodings
import Testing

@Suite("Octet writer") struct OctetWriterTests {
    private struct Stop: Error {}

    /// From none to more than the room on the stack and the first buffers hold, which a piece may just fill or overrun.
    @Test(arguments: [0, 1, 60, 61, 120, 121, 240, 241, 1000])
    func growsWithItsPieces(count: Int) {
        let octets = OctetWriter.array { output in
            for number in 0..<count {
                output.append(UInt8(truncatingIfNeeded: number))
                output.append("abc")
                output.append([1, 2, 3, 4, 5])
                output.appendHex([0xA0, 0x0F].span)
                output.append(groups: 1) { _ in 0x3231_302F }
            }
        }
        var expected: [UInt8] = []
        for number in 0..<count {
            expected.append(UInt8(truncatingIfNeeded: number))
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
            try OctetWriter.array { output throws(Stop) in
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
