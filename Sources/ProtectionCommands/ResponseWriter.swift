import Encodings
import Glibc
import HTTPMessages
import HTTPTransport
import Protection

/// Writes a response as the options of `request` say.
struct ResponseWriter {
    let invocation: Invocation

    private var console: Console { invocation.console }
    private var arguments: ParsedArguments { invocation.arguments }
    private var path: String? { arguments["output"].flatMap { $0 == "-" ? nil : $0 } }

    /// Sends a request; a content that goes to a file is written there as it comes in.
    ///
    /// - Throws: ``ToolError`` with code `unwritable`, and what the session and the interceptors throw.
    func receive(
        _ request: HTTPRequest,
        from session: any HTTPSession,
        through interceptors: [any HTTPInterceptor]
    ) async throws -> HTTPResponse {
        guard let path, let place = Self.regularFile(path) else {
            return try await InterceptedSession(session, interceptors: interceptors).data(for: request)
        }
        let bar = console.isErrorsTerminal ? ProgressBar(console: console) : nil
        let steps = interceptors + [bar].compactMap { $0 as (any HTTPInterceptor)? }
        do {
            let response = try await InterceptedSession(session, interceptors: steps)
                .download(for: request, to: place)
            await bar?.finish()
            return response
        } catch {
            await bar?.finish()
            guard let fault = error as? TransportError, fault.code == .fileFailed else { throw error }
            throw ToolError(
                .unwritable,
                "\(path.escapingControls.quotedForShell) cannot be written: "
                    + (fault.errorNumber.map(FileDescriptor.reason) ?? fault.message)
            )
        }
    }

    func write(_ response: HTTPResponse, _ update: RequestUpdate?, _ times: StepTimes) throws {
        var isSaved = path != nil
        if let path {
            if Self.regularFile(path) == nil {
                try save(response.body, to: path)
            } else if !(200...299).contains(response.status.code) {
                isSaved = false
                console.warn("the server answered \(response.status), and nothing was saved")
            }
        }
        guard !console.isJSON else {
            return try console.write(json(response, update, times, isSaved: isSaved))
        }
        if arguments.has("include") {
            let lines = response.fields.map { "\($0.name): \($0.value.escapingControls)\n" }.joined()
            try console.write("\(response.metrics?.protocolName ?? "HTTP/1.1") \(response.status)\n\(lines)")
        }
        guard !isSaved else { return }
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

    private func json(
        _ response: HTTPResponse,
        _ update: RequestUpdate?,
        _ times: StepTimes,
        isSaved: Bool
    ) -> JSONValue {
        var members = JSONObject()
        members["status"] = .integer(Int64(response.status.code))
        if arguments.has("include") {
            members["fields"] = .array(
                response.fields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] }
            )
        }
        if !isSaved, let text = response.text {
            members["body"] = .string(text)
        } else if !isSaved {
            members["bodyBase64"] = .string(Base64.standard.encode(response.body))
        }
        if arguments.has("verbose") {
            if let update {
                members["decision"] = .string("\(update.decision)")
                members["hasToken"] = .bool(update.mutations.hasToken)
            }
            members["steps"] = times.json
        }
        return .object(members)
    }

    /// Where a file is that can be replaced by a whole new one, behind symbolic links; nil for a device or a pipe.
    private static func regularFile(_ path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return path }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
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
