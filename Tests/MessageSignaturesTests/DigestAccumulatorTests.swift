import MessageSignatures
import TestSupport
import Testing

@Suite("Digests of content in pieces") struct DigestAccumulatorTests {
    private static let both: Set<DigestAlgorithm> = [.sha256, .sha512]

    private func accumulate(
        _ pieces: [ArraySlice<UInt8>],
        _ algorithms: Set<DigestAlgorithm> = both
    ) throws -> DigestField {
        var accumulator = try DigestAccumulator.start(using: algorithms)
        for piece in pieces { try accumulator.update(Array(piece)) }
        return try accumulator.finish()
    }

    @Test("The values of RFC 9530") func known() throws {
        let hello = DigestTests.hello[...]
        #expect(try accumulate([hello], [.sha256]).serialized == DigestTests.sha256)
        #expect(
            try accumulate([hello.prefix(5), hello.dropFirst(5)], [.sha512]).serialized == DigestTests.sha512
        )
        #expect(try accumulate([]) == DigestField(of: [], using: Self.both))
    }

    @Test("Any split of the octets gives the same digest", arguments: 0..<100 as Range<UInt64>)
    func splits(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let octets = (0..<Int.random(in: 0...2_000, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        var pieces: [ArraySlice<UInt8>] = []
        var rest = octets[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(rest.count, 300), using: &random)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        let whole = try DigestField(of: octets, using: Self.both)
        #expect(try accumulate(pieces) == whole)
        var spans = try DigestAccumulator.start(using: Self.both)
        for piece in pieces { try spans.update(piece.span) }
        try spans.check(whole, minimum: .sha512)
    }

    @Test("Every octet counts, and its place") func order() throws {
        let field = try DigestField(of: [1, 2, 3], using: Self.both)
        for pieces in [[[1, 2], [4]], [[1, 2]], [[1, 2, 3], [0]], [[3], [1, 2]]] as [[[UInt8]]] {
            let code = refusal {
                var accumulator = try DigestAccumulator.start(using: Self.both)
                for piece in pieces { try accumulator.update(piece) }
                try accumulator.check(field)
            }
            #expect(code == .contentDigestMismatch)
        }
    }

    @Test("Every digest of the field must have been made, and one must count") func algorithms() throws {
        #expect(
            refusal { _ = try DigestAccumulator.start(using: []).finish() } == .noSupportedDigestAlgorithm
        )
        let cases:
            [(made: Set<DigestAlgorithm>, stated: Set<DigestAlgorithm>, DigestAlgorithm, isRight: Bool)] = [
                ([.sha256], [.sha256], .sha256, true), (Self.both, [.sha512], .sha256, true),
                (Self.both, Self.both, .sha512, true), ([.sha256], Self.both, .sha256, false),
                ([.sha512], [.sha256], .sha256, false), (Self.both, [.sha256], .sha512, false),
            ]
        for (made, stated, minimum, isRight) in cases {
            let field = try DigestField(of: [], using: stated)
            let code = refusal { try DigestAccumulator.start(using: made).check(field, minimum: minimum) }
            #expect(code == (isRight ? nil : .noSupportedDigestAlgorithm))
        }
        let unknown = try DigestField(parsing: Array("md5=:AAAA:".utf8))
        #expect(refusal { try DigestAccumulator.start().check(unknown) } == .noSupportedDigestAlgorithm)
    }
}
