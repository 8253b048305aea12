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
}
