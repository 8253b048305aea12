import HTTPMessages

/// Makes a request of the options of `request`.
struct RequestBuilder {
    private static let maximumBodySize = 64 << 20

    let invocation: Invocation

    /// Makes the request, and names the fields that came from files: they may be credentials, whatever their names.
    func request() throws -> (HTTPRequest, secretFields: [HTTPField.Name]) {
        let arguments = invocation.arguments
        let body = try body()
        var (fields, secretFields) = try fields()
        if body != nil, !fields.contains(.contentType) {
            try fields.append("application/x-www-form-urlencoded", for: .contentType)
        }
        do {
            let method = try arguments["request"].map { name throws(HTTPMessageError) in try HTTPMethod(name)
            }
            let request = HTTPRequest(
                method: method ?? (body == nil ? .get : .post),
                target: try RequestTarget(arguments.operands[0]),
                fields: fields,
                body: body
            )
            return (request, secretFields)
        } catch {
            throw invocation.usage("\(error)")
        }
    }

    private func body() throws -> HTTPBody? {
        guard let data = invocation.arguments["data"] else { return nil }
        guard data.hasPrefix("@") else { return HTTPBody(data) }
        return HTTPBody(
            try invocation.files.read(
                String(data.dropFirst()),
                "the content",
                limit: Self.maximumBodySize,
                trust: .any
            )
        )
    }

    private func fields() throws -> (HTTPFields, ofFiles: [HTTPField.Name]) {
        var fields = HTTPFields()
        var names: [HTTPField.Name] = []
        for text in invocation.arguments[all: "header"] {
            guard text.hasPrefix("@") else {
                let field = try field(text)
                try refuseCredentials(field.name)
                fields.append(field)
                continue
            }
            let lines = try invocation.files.readLine(
                String(text.dropFirst()),
                "the file of fields",
                limit: 64 << 10,
                trust: .secret
            )
            for line in lines.split(whereSeparator: \.isNewline) {
                let field = try field(String(line))
                names.append(field.name)
                fields.append(field)
            }
        }
        return (fields, names)
    }

    private func field(_ line: String) throws(ToolError) -> HTTPField {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw invocation.usage(
                "a field is a name, a colon and a value; it cannot be read without the colon"
            )
        }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = line.utf8[line.utf8.index(after: colon)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        do {
            return try HTTPField(HTTPField.Name(String(line[..<colon])), bytes: Array(value))
        } catch {
            throw invocation.usage("\(error)")
        }
    }

    /// What a field of such a name holds is a secret, unless it is a placeholder that stands for one.
    private func refuseCredentials(_ name: HTTPField.Name) throws(ToolError) {
        let arguments = invocation.arguments
        let credentials = ["authorization", "cookie", "proxy-authorization", "protection-token"]
        let names = credentials + arguments[all: "token-header"].map { $0.lowercased() }
        let placeholders = arguments[all: "substitute-header"].map { $0.lowercased() }
        guard names.contains(name.canonicalName), !placeholders.contains(name.canonicalName) else { return }
        throw ToolError(
            .secretOnCommandLine,
            "the value of \(name) stands on the command line, where all users of this machine can read it: "
                + "put the line '\(name): ...' in a file and give -H @FILE"
        )
    }
}
