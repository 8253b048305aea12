import Encodings
import Glibc
import HTTPMessages
import Protection

/// Writes a response as the options of `request` say.
struct ResponseWriter {
    let invocation: Invocation

    private var console: Console { invocation.console }
    private var path: String? { invocation.arguments["output"].flatMap { $0 == "-" ? nil : $0 } }

    func write(_ response: HTTPResponse, _ update: RequestUpdate, _ times: StepTimes) throws {
        if let path { try save(response.body, to: path) }
        guard !console.isJSON else { return try console.write(json(response, update, times)) }
        if invocation.arguments.has("include") {
            let lines = response.fields.map { "\($0.name): \($0.value.escapingControls)\n" }.joined()
            try console.write("HTTP/1.1 \(response.status)\n\(lines)")
        }
        guard path == nil else { return }
        guard console.isTerminal else { return try console.write(octets: response.body) }
        // A terminal obeys what it is sent.
        guard let text = response.text else {
            return console.warn("the content is not text and was not written to the terminal: use -o FILE")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let safe = lines.map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { String($0).escapingControls }.joined(separator: "\t")
        }
        try console.write(octets: Array(safe.joined(separator: "\n").utf8))
    }

    private func json(_ response: HTTPResponse, _ update: RequestUpdate, _ times: StepTimes) -> JSONValue {
        var members = JSONObject()
        members["status"] = .integer(Int64(response.status.code))
        if invocation.arguments.has("include") {
            members["fields"] = .array(
                response.fields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] }
            )
        }
        if path == nil, let text = response.text {
            members["body"] = .string(text)
        } else if path == nil {
            members["bodyBase64"] = .string(Base64.standard.encode(response.body))
        }
        if invocation.arguments.has("verbose") {
            members["decision"] = .string("\(update.decision)")
            members["hasToken"] = .bool(update.mutations.hasToken)
            members["steps"] = times.json
        }
        return .object(members)
    }

    /// A new file is its owner's only: what an API answers may be private.
    private func save(_ octets: [UInt8], to path: String) throws(ToolError) {
        let name = path.escapingControls.quotedForShell
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            throw ToolError(.unwritable, "\(name) cannot be written: \(FileDescriptor.reason(errno))")
        }
        do {
            try FileDescriptor.write(octets, to: descriptor, name: name)
        } catch {
            close(descriptor)
            throw error
        }
        // A full disk may be told only here.
        guard close(descriptor) == 0 else {
            throw ToolError(.unwritable, "\(name) cannot be written: \(FileDescriptor.reason(errno))")
        }
    }
}
