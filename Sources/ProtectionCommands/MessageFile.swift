import Encodings
import MessageSignatures

/// A message of a file or of standard input, raw or in JSON.
struct MessageFile: Sendable {
    private enum Form: Sendable {
        case raw(RawMessage)
        case json(JSONObject)
    }

    private static let limit = 64 << 20

    let message: SignableMessage
    private let form: Form

    /// Reads the message that the operand names, and the request that it answers.
    init(_ invocation: Invocation) throws {
        let request = try invocation.arguments["request"].map { path in
            let request = try MessageFile(path, "the request", invocation, answering: nil).message
            guard request.isRequest else { throw ToolError(.malformedMessage, "--request names a response") }
            return request
        }
        try self.init(invocation.arguments.operands[0], "the message", invocation, answering: request)
    }

    private init(
        _ path: String,
        _ what: String,
        _ invocation: Invocation,
        answering request: SignableMessage?
    ) throws {
        let octets = try invocation.files.read(path, what, limit: Self.limit, trust: .any)
        let origin = MessageOrigin(invocation.arguments)
        guard octets.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
            var parser = RawMessageParser(octets)
            let raw = try parser.parse()
            message = try Self.message(raw, origin, answering: request)
            form = .raw(raw)
            return
        }
        guard let object = try JSONValue(parsing: octets).object else {
            throw ToolError(.malformedMessage, "\(what) is not a JSON object")
        }
        try origin.checkAbsent()
        message = try JSONMessage.message(object, answering: request)
        form = .json(object)
    }

    private static func message(
        _ raw: RawMessage,
        _ origin: MessageOrigin,
        answering request: SignableMessage?
    ) throws -> SignableMessage {
        switch raw.start {
        case .request(let method, let target):
            guard request == nil else {
                throw ToolError(.malformedMessage, "only a response answers a request")
            }
            return SignableMessage(
                method: method,
                target: try origin.target(target, method: method, fields: raw.fields),
                requestTarget: target,
                fields: raw.fields,
                content: raw.content
            )
        case .response(let status):
            return SignableMessage(
                status: status,
                answering: request,
                fields: raw.fields,
                content: raw.content
            )
        }
    }

    /// The message with further fields, in the form in which it was read.
    func adding(_ fields: [AddedField]) -> [UInt8] {
        switch form {
        case .raw(let raw): raw.adding(fields)
        case .json(let object):
            JSONValue.object(JSONMessage.adding(fields, to: object)).serialized() + [UInt8(ascii: "\n")]
        }
    }
}
