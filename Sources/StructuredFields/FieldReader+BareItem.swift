internal import Encodings

extension FieldReader {
    mutating func readBareItem() throws(StructuredFieldError) -> BareItem {
        guard let first = next else { throw fault(.unexpectedEnd) }
        switch first {
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        case UInt8(ascii: ":"): return .bytes(try readByteSequence())
        case UInt8(ascii: "?"): return .boolean(try readBoolean())
        case UInt8(ascii: "@"): return .date(try readDate())
        case UInt8(ascii: "%"): return .displayString(try readDisplayString())
        default:
            guard Grammar.startsToken(first) else { throw fault(.invalidCharacter) }
            return .token(readToken())
        }
    }

    /// Reads an integer or a decimal, whose digits are counted as they come: leading zeros count too.
    private mutating func readNumber() throws(StructuredFieldError) -> BareItem {
        let sign: Int64 = take(UInt8(ascii: "-")) ? -1 : 1
        let whole = try readDigits(atMost: 15)
        guard next == UInt8(ascii: ".") else { return .integer(sign * whole.value) }
        guard whole.count <= 12 else { throw fault(.numberOutOfRange) }
        offset += 1
        let fraction = try readDigits(atMost: 3)
        var thousandths = fraction.value
        for _ in fraction.count..<3 { thousandths *= 10 }
        return .decimal(DecimalNumber(checked: sign * (whole.value * 1000 + thousandths)))
    }

    private mutating func readDigits(
        atMost limit: Int
    ) throws(StructuredFieldError) -> (value: Int64, count: Int) {
        let start = offset
        var value: Int64 = 0
        while let octet = next, Grammar.isDigit(octet) {
            guard offset - start < limit else { throw fault(.numberOutOfRange) }
            value = value * 10 + Int64(octet - UInt8(ascii: "0"))
            offset += 1
        }
        guard offset > start else { throw fault(next == nil ? .unexpectedEnd : .invalidNumber) }
        return (value, offset - start)
    }

    private mutating func readString() throws(StructuredFieldError) -> String {
        offset += 1
        let start = offset
        while let octet = next {
            switch octet {
            case UInt8(ascii: "\""):
                let content = text(from: start)
                offset += 1
                return content
            case UInt8(ascii: "\\"):
                return try readEscapedString(Array(octets[start..<offset]))
            default:
                guard Grammar.isPrintable(octet) else { throw fault(.invalidString) }
                offset += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    /// Reads the rest of a string from its first backslash on.
    private mutating func readEscapedString(_ beginning: [UInt8]) throws(StructuredFieldError) -> String {
        var content = beginning
        while let octet = next {
            guard Grammar.isPrintable(octet) else { throw fault(.invalidString) }
            offset += 1
            guard octet != UInt8(ascii: "\"") else { return String(decoding: content, as: UTF8.self) }
            guard octet == UInt8(ascii: "\\") else {
                content.append(octet)
                continue
            }
            guard let escaped = next else { break }
            guard escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                throw fault(.invalidString)
            }
            content.append(escaped)
            offset += 1
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func readToken() -> Token {
        let start = offset
        offset += 1
        while let octet = next, Grammar.continuesToken(octet) { offset += 1 }
        return Token(checked: text(from: start))
    }

    private mutating func readByteSequence() throws(StructuredFieldError) -> [UInt8] {
        offset += 1
        let start = offset
        while let octet = next, octet != UInt8(ascii: ":") {
            guard Grammar.isBase64(octet) else { throw fault(.invalidByteSequence) }
            offset += 1
        }
        guard next != nil else { throw fault(.unexpectedEnd) }
        let content = Array(octets[start..<offset])
        offset += 1
        do {
            return try Base64.standard.decode(content)
        } catch {
            throw StructuredFieldError(.invalidByteSequence, at: start + error.offset)
        }
    }

    private mutating func readBoolean() throws(StructuredFieldError) -> Bool {
        offset += 1
        if take(UInt8(ascii: "1")) { return true }
        if take(UInt8(ascii: "0")) { return false }
        throw fault(next == nil ? .unexpectedEnd : .invalidBoolean)
    }

    private mutating func readDate() throws(StructuredFieldError) -> Int64 {
        offset += 1
        guard let first = next else { throw fault(.unexpectedEnd) }
        guard first == UInt8(ascii: "-") || Grammar.isDigit(first) else { throw fault(.invalidDate) }
        let start = offset
        guard case .integer(let seconds) = try readNumber() else {
            throw StructuredFieldError(.invalidDate, at: start)
        }
        return seconds
    }

    private mutating func readDisplayString() throws(StructuredFieldError) -> String {
        offset += 1
        guard take(UInt8(ascii: "\"")) else {
            throw fault(next == nil ? .unexpectedEnd : .invalidDisplayString)
        }
        let start = offset
        var content: [UInt8] = []
        while let octet = next {
            guard Grammar.isPrintable(octet) else { throw fault(.invalidDisplayString) }
            offset += 1
            switch octet {
            case UInt8(ascii: "\""):
                return try decodeText(content, from: start)
            case UInt8(ascii: "%"):
                content.append(try readHexDigit() << 4 | readHexDigit())
            default:
                content.append(octet)
            }
        }
        throw fault(.unexpectedEnd)
    }

    /// Reads a digit of an escape, which has lower-case letters only.
    private mutating func readHexDigit() throws(StructuredFieldError) -> UInt8 {
        guard let octet = next else { throw fault(.unexpectedEnd) }
        let value: UInt8
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = octet - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): value = octet - UInt8(ascii: "a") + 10
        default: throw fault(.invalidDisplayString)
        }
        offset += 1
        return value
    }

    /// Decodes UTF-8 whose escaped form starts at an offset, where the fault is then looked for.
    private func decodeText(_ content: [UInt8], from start: Int) throws(StructuredFieldError) -> String {
        let position: Int
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: content.span))
        } catch {
            position = error.byteOffsets.lowerBound
        }
        var place = start
        for _ in 0..<position { place += octets[place] == UInt8(ascii: "%") ? 3 : 1 }
        throw StructuredFieldError(.invalidDisplayString, at: place)
    }
}
