import HTTPMessages
import MessageSignatures

/// A message as HTTP/1.1 writes it (RFC 9112), with its octets as they came.
struct RawMessage: Sendable {
    /// What the first line says.
    enum Start: Sendable {
        case request(method: HTTPMethod, target: String)
        case response(HTTPStatus)
    }

    let start: Start
    /// The fields in order; a folded one keeps its folds, each as CR and LF.
    let fields: [FieldLine]
    let content: [UInt8]
    /// How the lines of the head end.
    let lineEnd: String
    /// The whole message.
    let octets: [UInt8]
    /// Where the empty line after the head starts.
    let headEnd: Int

    /// The octets with further fields at the end of the head; nothing else changes.
    func adding(_ fields: [AddedField]) -> [UInt8] {
        let lines = fields.map { "\($0.name): \($0.value)\(lineEnd)" }.joined()
        return Array(octets[..<headEnd]) + lines.utf8 + octets[headEnd...]
    }

    /// The octets with another target, without some fields and with further ones at the end of the head.
    func replacing(
        target: RequestTarget?,
        dropping names: Set<String>,
        adding fields: [AddedField]
    ) -> [UInt8] {
        var head: [UInt8] = []
        var isKept = true
        for (index, line) in octets[..<headEnd].split(separator: 0x0A).enumerated() {
            if index == 0 {
                head += target.map { Array(startLine(line, target: $0).utf8) } ?? Array(line)
            } else {
                // A line that starts with a blank goes on with the field before it.
                if line.first != 0x20, line.first != 0x09 {
                    let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
                    isKept = !names.contains(name.lowercased())
                }
                guard isKept else { continue }
                head += line
            }
            head.append(0x0A)
        }
        let lines = fields.map { "\($0.name): \($0.value)\(lineEnd)" }.joined()
        return head + lines.utf8 + octets[headEnd...]
    }

    /// The first line of a request with another target, in the form that the old one has.
    private func startLine(_ line: ArraySlice<UInt8>, target: RequestTarget) -> String {
        let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3 else { return String(decoding: line, as: UTF8.self) }
        let text = words[1].hasPrefix("/") ? target.originForm : target.absoluteString
        return "\(words[0]) \(text) \(words[2])"
    }
}
