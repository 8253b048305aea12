/// The little of DER and CBOR that the sample needs: the writers of the package are not public.
extension AppleSample {
    /// An element of DER.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
    }

    /// The body of a certificate and its signature; the sizes are those of certificates that were made here.
    static func parts(_ certificate: [UInt8]) throws -> (body: [UInt8], signature: [UInt8]) {
        var fields = try split(try content(certificate[...]))
        guard fields.count == 3, let signature = fields.popLast() else { throw malformed }
        return (Array(fields[0]), Array(try content(signature).dropFirst()))
    }

    /// The subject of a certificate, in DER: the name under which it issues others.
    static func issuer(in certificate: [UInt8]) throws -> [UInt8] {
        // Version, serial number, algorithm, issuer, validity, subject.
        let fields = try split(try content(Array(try parts(certificate).body)[...]))
        guard fields.count > 5 else { throw malformed }
        return Array(fields[5])
    }

    private static func split(_ content: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>] {
        var (rest, elements) = (content, [ArraySlice<UInt8>]())
        while !rest.isEmpty {
            let (start, count) = try extent(rest)
            elements.append(rest[rest.startIndex..<(start + count)])
            rest = rest[(start + count)...]
        }
        return elements
    }

    private static func content(_ element: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        let (start, count) = try extent(element)
        return element[start..<(start + count)]
    }

    /// Where the content of the first element starts, and how long it is.
    private static func extent(_ element: ArraySlice<UInt8>) throws -> (start: Int, count: Int) {
        let first = element.startIndex
        guard element.count >= 2 else { throw malformed }
        let length = Int(element[first + 1])
        let width = length < 0x80 ? 0 : length & 0x7F
        guard width <= 2, element.count >= 2 + width else { throw malformed }
        let count =
            width == 0 ? length : element[(first + 2)..<(first + 2 + width)].reduce(0) { $0 << 8 | Int($1) }
        guard element.count >= 2 + width + count else { throw malformed }
        return (first + 2 + width, count)
    }

    private static let malformed = BenchmarkError("a certificate was made in another form")

    /// The head of an item of CBOR.
    static func head(_ type: UInt8, _ count: Int) -> [UInt8] {
        switch count {
        case ..<24: [type << 5 | UInt8(count)]
        case ..<0x100: [type << 5 | 24, UInt8(count)]
        default: [type << 5 | 25, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    }

    static func text(_ text: String) -> [UInt8] { head(3, text.utf8.count) + text.utf8 }

    static func bytes(_ octets: [UInt8]) -> [UInt8] { head(2, octets.count) + octets }
}
