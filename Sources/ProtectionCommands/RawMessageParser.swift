import HTTPMessages
import MessageSignatures

/// Reads a message of HTTP/1.1 (RFC 9112), strictly: a message that two readers could take in two ways is refused.
///
/// Lines end in CR and LF or in LF alone, all of them in the same way. The content is as long as `Content-Length` says,
/// or goes to the end; that of a response to HEAD, or with status 304, may be absent (RFC 9110, section 8.6).
struct RawMessageParser {
    private let octets: [UInt8]
    private let answersHead: Bool
    private var offset = 0
    private var endsInCR = false

    /// Takes a message, which answers a request with HEAD or does not.
    init(_ octets: [UInt8], answersHead: Bool = false) {
        self.octets = octets
        self.answersHead = answersHead
    }

    mutating func parse() throws(ToolError) -> RawMessage {
        guard let feed = octets.firstIndex(of: 0x0A) else { throw fault("the message has no line") }
        endsInCR = feed > 0 && octets[feed - 1] == 0x0D
        let start = try startLine(try line())
        let (fields, headEnd) = try fields()
        return RawMessage(
            start: start,
            fields: fields,
            content: try content(fields, of: start),
            lineEnd: endsInCR ? "\r\n" : "\n",
            octets: octets,
            headEnd: headEnd
        )
    }

    // MARK: - Lines

    /// The place of the next line, without its end.
    private mutating func line() throws(ToolError) -> Range<Int> {
        let start = offset
        guard let feed = octets[start...].firstIndex(of: 0x0A) else {
            throw fault("the head has no empty line at its end")
        }
        var end = feed
        if endsInCR {
            guard feed > start, octets[feed - 1] == 0x0D else {
                throw fault("the lines of the head end in different ways", at: feed)
            }
            end -= 1
        }
        if let control = octets[start..<end].firstIndex(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            throw fault("the head holds a control character", at: control)
        }
        offset = feed + 1
        return start..<end
    }

    private func startLine(_ line: Range<Int>) throws(ToolError) -> RawMessage.Start {
        let words = octets[line].split(separator: 0x20, omittingEmptySubsequences: false)
        if octets[line].starts(with: "HTTP/".utf8) {
            guard words.count >= 3, Self.isVersion(words[0]), let status = Self.status(words[1]) else {
                throw fault(
                    "the first line is not a version, a status, a space and a reason",
                    at: line.lowerBound
                )
            }
            return .response(status)
        }
        guard words.count == 3, !words[1].isEmpty, Self.isVersion(words[2]),
            let method = try? HTTPMethod(String(decoding: words[0], as: UTF8.self))
        else { throw fault("the first line is not a method, a target and HTTP/1.1", at: line.lowerBound) }
        return .request(method: method, target: String(decoding: words[1], as: UTF8.self))
    }

    private static func isVersion(_ word: ArraySlice<UInt8>) -> Bool {
        word.elementsEqual("HTTP/1.1".utf8) || word.elementsEqual("HTTP/1.0".utf8)
    }

    private static func status(_ word: ArraySlice<UInt8>) -> HTTPStatus? {
        guard word.count == 3, word.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(String(decoding: word, as: UTF8.self)).flatMap { try? HTTPStatus($0) }
    }

    // MARK: - Fields

    private mutating func fields() throws(ToolError) -> ([FieldLine], headEnd: Int) {
        var fields: [FieldLine] = []
        while true {
            let start = offset
            let line = try line()
            guard let first = octets[line].first else { return (fields, start) }
            if first == 0x20 || first == 0x09 {
                guard let folded = fields.popLast() else {
                    throw fault("the first field is folded and has no name", at: start)
                }
                fields.append(FieldLine(folded.name, folded.value + "\r\n".utf8 + octets[line]))
            } else {
                fields.append(try field(line))
            }
        }
    }

    private func field(_ line: Range<Int>) throws(ToolError) -> FieldLine {
        guard let colon = octets[line].firstIndex(of: UInt8(ascii: ":")),
            let name = try? HTTPField.Name(String(decoding: octets[line.lowerBound..<colon], as: UTF8.self))
        else { throw fault("the line is not a name, a colon and a value", at: line.lowerBound) }
        return FieldLine(name.rawName, Array(octets[(colon + 1)..<line.upperBound]))
    }

    // MARK: - Content

    private func content(
        _ fields: [FieldLine],
        of start: RawMessage.Start
    ) throws(ToolError) -> [UInt8] {
        guard !fields.contains(where: { $0.name == "transfer-encoding" }) else {
            throw fault("the content is transfer-coded: give it as it is, without Transfer-Encoding")
        }
        let rest = octets[offset...]
        if case .response(let status) = start, rest.isEmpty, answersHead || status.code == 304 { return [] }
        if let message = StatedLength.fault(of: fields, content: rest.count) { throw fault(message) }
        return Array(rest)
    }

    private func fault(_ message: String, at offset: Int? = nil) -> ToolError {
        ToolError(.malformedMessage, message, at: offset ?? self.offset)
    }
}
