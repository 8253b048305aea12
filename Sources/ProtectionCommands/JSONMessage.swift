import Encodings
import HTTPMessages
import MessageSignatures

/// Messages in JSON: `{"method", "url", "fields": [[name, value]], "body"}`, or `{"status", "fields", "body", "request"}`.
enum JSONMessage {
    private static let requestMembers: Set = ["method", "url", "requestTarget"]
    private static let responseMembers: Set = ["status", "request"]
    private static let commonMembers: Set = ["fields", "trailers", "body", "bodyBase64"]

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - object: The members.
    ///   - request: The request that a response answers, where it stands elsewhere.
    /// - Returns: The message.
    /// - Throws: ``ToolError`` with code `malformedMessage`, and what the parts of messages throw.
    static func message(_ object: JSONObject, answering request: SignableMessage?) throws -> SignableMessage {
        let isResponse = object["status"] != nil
        let known = commonMembers.union(isResponse ? responseMembers : requestMembers)
        guard object.members.allSatisfy({ known.contains($0.name) }) else {
            throw fault("the message has a member that \(isResponse ? "a response" : "a request") has not")
        }
        let fields = try lines(object["fields"])
        let trailers = try lines(object["trailers"])
        let content = try content(object)
        // Without a body nothing is said of the content.
        if object["body"] != nil || object["bodyBase64"] != nil,
            let message = StatedLength.fault(of: fields, content: content.count)
        {
            throw fault(message)
        }
        guard isResponse else {
            guard request == nil else { throw fault("only a response answers a request") }
            return SignableMessage(
                method: try HTTPMethod(text(object, "method")),
                target: try SignableTarget(text(object, "url")),
                requestTarget: try object["requestTarget"].map { _ in try text(object, "requestTarget") },
                fields: fields,
                trailers: trailers,
                content: content
            )
        }
        guard let status = object["status"]?.integer.flatMap(Int.init) else {
            throw fault("the status is not a number")
        }
        return SignableMessage(
            status: try HTTPStatus(status),
            answering: try related(object, request),
            fields: fields,
            trailers: trailers,
            content: content
        )
    }

    /// The message with further fields at the end of its own.
    static func adding(_ fields: [AddedField], to object: JSONObject) -> JSONObject {
        var object = object
        object["fields"] = .array((object["fields"]?.array ?? []) + fields.map(\.json))
        return object
    }

    private static func related(
        _ object: JSONObject,
        _ request: SignableMessage?
    ) throws -> SignableMessage? {
        guard let value = object["request"] else { return request }
        guard request == nil else {
            throw ToolError(.usage, "the message holds its request already: --request does not go with it")
        }
        guard let members = value.object, members["status"] == nil else {
            throw fault("the request is not an object with a method and a url")
        }
        return try message(members, answering: nil)
    }

    private static func text(_ object: JSONObject, _ name: String) throws(ToolError) -> String {
        guard let text = object[name]?.string else { throw fault("\(name) is missing or not a string") }
        return text
    }

    private static func lines(_ value: JSONValue?) throws -> [FieldLine] {
        guard let value else { return [] }
        guard let pairs = value.array else { throw fault("the fields are not an array") }
        return try pairs.map { pair in
            guard let parts = pair.array, parts.count == 2, let name = parts[0].string,
                let value = parts[1].string
            else { throw fault("a field is not an array of a name and a value") }
            return FieldLine(try HTTPField.Name(name).rawName, value)
        }
    }

    private static func content(_ object: JSONObject) throws -> [UInt8] {
        switch (object["body"], object["bodyBase64"]) {
        case (nil, nil): return []
        case (let body?, nil):
            guard let text = body.string else { throw fault("body is not a string") }
            return Array(text.utf8)
        case (nil, let body?):
            guard let text = body.string else { throw fault("bodyBase64 is not a string") }
            return try Base64.standard.decode(text)
        default: throw fault("body and bodyBase64 exclude each other")
        }
    }

    private static func fault(_ message: String) -> ToolError { ToolError(.malformedMessage, message) }
}
