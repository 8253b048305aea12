import Encodings
import HTTPMessages
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

    /// Reads the message that the operand names; a raw request without `Host` goes to the authority, if there is one.
    init(_ invocation: Invocation, authority: String?) throws {
        try self.init(
            invocation.arguments.operands[0],
            "the request",
            invocation,
            answering: nil,
            authority: authority
        )
    }

    private init(
        _ path: String,
        _ what: String,
        _ invocation: Invocation,
        answering request: SignableMessage?,
        authority: String? = nil
    ) throws {
        let octets = try invocation.files.read(path, what, limit: Self.limit, trust: .any)
        let origin = MessageOrigin(invocation.arguments, fallback: authority)
        guard octets.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else {
            var parser = RawMessageParser(octets, answersHead: request?.requestLine?.method == .head)
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

    /// The message as a request that can be sent.
    ///
    /// - Throws: ``ToolError`` with code `malformedMessage` for a response and what else is not sent, or
    ///   `HTTPMessageError` for a URL or a field that cannot be.
    func request() throws -> HTTPRequest {
        guard let (method, target) = message.requestLine, message.trailers.isEmpty else {
            throw ToolError(.malformedMessage, "the message is not a request without trailers")
        }
        switch form {
        case .raw(let raw):
            guard case .request(_, let text) = raw.start, text.hasPrefix("/") || text == target.uri else {
                throw ToolError(.malformedMessage, "the target of the request is not a path or a URL")
            }
        case .json(let object):
            guard object["requestTarget"] == nil else {
                throw ToolError(.malformedMessage, "the request has a target besides its URL")
            }
        }
        var fields = HTTPFields()
        for line in message.fields {
            fields.append(try HTTPField(HTTPField.Name(line.name), bytes: line.canonicalValue(.http1)))
        }
        let content = message.content ?? []
        return HTTPRequest(
            method: method,
            target: try RequestTarget(target.uri),
            fields: fields,
            body: content.isEmpty ? nil : HTTPBody(content)
        )
    }

    /// The message with another target, without some fields and with further ones, in the form in which it was read.
    ///
    /// - Parameters:
    ///   - target: The target; nil leaves it as it is.
    ///   - names: The fields to leave out, in lower case.
    ///   - fields: The fields to add.
    /// - Returns: The octets.
    func replacing(
        target: RequestTarget?,
        dropping names: Set<String>,
        adding fields: [AddedField]
    ) -> [UInt8] {
        switch form {
        case .raw(let raw): return raw.replacing(target: target, dropping: names, adding: fields)
        case .json(var object):
            let kept = object["fields"]?.array?.filter { pair in
                !names.contains(pair.array?.first?.string?.lowercased() ?? "")
            }
            object["fields"] = kept.map(JSONValue.array)
            if let target { object["url"] = .string(target.absoluteString) }
            if !fields.isEmpty { object = JSONMessage.adding(fields, to: object) }
            return JSONValue.object(object).serialized() + [UInt8(ascii: "\n")]
        }
    }
}
