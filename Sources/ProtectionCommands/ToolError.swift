import AWSSigning
import AppAttestation
import Cryptography
import Encodings
import FileStorage
import HTTPInterceptors
import HTTPMessages
import HTTPTransport
import InstallationKeys
import JSONWebTokens
import MessageSignatures
import Protection

/// Why a command did not do what was asked.
///
/// Codes of the libraries below come through under their own names. No message repeats a value of the command line
/// or of a file, which may be a secret: but the names of files, profiles, labels and members, so that one can be found.
struct ToolError: Error, Sendable, CustomStringConvertible {
    /// What was wrong, and what the process ends with.
    struct Code: Sendable, Hashable, CustomStringConvertible {
        let description: String
        let exit: ExitCode

        /// The command line cannot be understood.
        static let usage = Code(description: "usage", exit: .usage)
        /// Something secret stands on the command line.
        static let secretOnCommandLine = Code(description: "secretOnCommandLine", exit: .usage)
        /// A file, or standard input, cannot be read.
        static let unreadable = Code(description: "unreadable", exit: .trouble)
        /// A file, or standard output, cannot be written.
        static let unwritable = Code(description: "unwritable", exit: .trouble)
        /// A variable of the environment is not there.
        static let missingVariable = Code(description: "missingVariable", exit: .trouble)
        /// A file is larger than its kind ever is.
        static let fileTooLarge = Code(description: "fileTooLarge", exit: .refused)
        /// Others than this user may write a file that has to be trusted.
        static let unsafePermissions = Code(description: "unsafePermissions", exit: .refused)
        /// A file is not text in UTF-8.
        static let notText = Code(description: "notText", exit: .refused)
        /// A private key or a secret stands where a public key belongs.
        static let privateKeyGiven = Code(description: "privateKeyGiven", exit: .refused)
        /// A public key stands where a private key or a secret belongs.
        static let publicKeyGiven = Code(description: "publicKeyGiven", exit: .refused)
        /// A file holds no key in a form that is known.
        static let unknownKeyForm = Code(description: "unknownKeyForm", exit: .refused)
        /// A key is another than the one it has to be.
        static let wrongKey = Code(description: "wrongKey", exit: .refused)
        /// A token is not bound to the value that it has to be bound to.
        static let bindingMismatch = Code(description: "bindingMismatch", exit: .refused)
        /// A message is neither HTTP/1.1 nor JSON in the form that messages have.
        static let malformedMessage = Code(description: "malformedMessage", exit: .refused)
        /// A request is for another host than the options say.
        static let wrongHost = Code(description: "wrongHost", exit: .refused)
        /// A policy is not in its form, or demands something that is not known.
        static let invalidPolicy = Code(description: "invalidPolicy", exit: .refused)
        /// A digest is to be added to a message that has one.
        static let digestPresent = Code(description: "digestPresent", exit: .refused)
        /// The server answered with a status of 400 or more.
        static let httpStatus = Code(description: "httpStatus", exit: .refused)
        /// All together took longer than it may.
        static let timedOut = Code(description: "timedOut", exit: .trouble)
        /// Something that should not happen.
        static let internalError = Code(description: "internalError", exit: .trouble)
    }

    let code: Code
    /// One sentence for a person, free of secrets.
    let message: String
    /// Where in the input, from 0.
    var offset: Int?
    /// What may have been meant, and how the command is called; for people only.
    var hints: [String] = []
    /// Whether a word names no command, so that the hints say already how commands are called.
    var isAboutCommands = false

    init(_ code: Code, _ message: String, at offset: Int? = nil, hints: [String] = []) {
        self.code = code
        self.message = message
        self.offset = offset
        self.hints = hints
    }

    var description: String { "\(code): \(message)" + (offset.map { ", at \($0)" } ?? "") }

    var json: JSONValue {
        var members: JSONObject = JSONObject()
        members["code"] = .string(code.description)
        members["message"] = .string(message)
        if let offset { members["offset"] = .integer(Int64(offset)) }
        return ["error": .object(members)]
    }

    /// Takes an error of any library over; one that is not known shows its type only.
    init(_ error: any Error) {
        switch error {
        case let error as ToolError: self = error
        case let error as ConfigurationError:
            self.init(.refusal(error.code), error.message, at: error.offset)
        case let error as TokenError:
            let cause = error.underlying.map { " (\(ErrorCause.text($0)))" } ?? ""
            self.init(.refusal(error.code), error.message + cause, at: error.offset)
        case let error as CryptographyError: self.init(Self.code(of: error), Self.message(of: error))
        case let error as SignatureError:
            let component = error.component.map { " (\($0.escapingControls))" } ?? ""
            self.init(.refusal(error.code), error.message.escapingControls + component)
        case let error as AWSSigningError:
            let isTrouble = [.noCredentials, .unreadableFile, .cryptographyFailed].contains(error.code)
            let code = Code(description: error.code.description, exit: isTrouble ? .trouble : .refused)
            self.init(code, error.message.escapingControls)
        case let error as AttestationError:
            let isTrouble = error.code == .libraryFailure
            let code = Code(description: error.code.description, exit: isTrouble ? .trouble : .refused)
            self.init(code, error.message)
        case let error as InstallationKeyError:
            let isTrouble = [.notFound, .inputOutput, .deviceUnavailable, .cryptographyFailure].contains(
                error.code
            )
            let code = Code(description: error.code.description, exit: isTrouble ? .trouble : .refused)
            self.init(code, error.message.escapingControls)
        case let error as FileStorageError:
            let isTrouble = [.notFound, .inputOutput].contains(error.code)
            let code = Code(description: error.code.description, exit: isTrouble ? .trouble : .refused)
            self.init(code, "\(error.path): \(error.message)".escapingControls)
        case let error as DecodingFault:
            self.init(.refusal(error.code), "the text is not in its form", at: error.offset)
        case let error as HTTPMessageError: self.init(.refusal(error.code), error.message, at: error.offset)
        case let error as ProtectionError:
            let code: Code =
                error.isRetryable
                ? Code(description: error.code.description, exit: .trouble) : .refusal(error.code)
            self.init(code, error.message + (error.underlying.map { " (\(ErrorCause.text($0)))" } ?? ""))
        case let error as RedirectError:
            self.init(.refusal(error.code), "\(error.message), status \(error.status), host \(error.host)")
        case let error as TransportError: self.init(Self.code(of: error), Self.message(of: error))
        default: self.init(.internalError, "unexpected \(type(of: error))")
        }
    }

    /// That a device is not there is trouble.
    private static func code(of error: CryptographyError) -> Code {
        let troubles: [CryptographyError.Code] = [.providerUnavailable, .deviceLocked]
        let exit: ExitCode = troubles.contains(error.code) ? .trouble : .refused
        return Code(description: error.code.description, exit: exit)
    }

    /// Why a device is not there, only OpenSSL says.
    private static func message(of error: CryptographyError) -> String {
        guard error.code == .providerUnavailable, !error.detail.isEmpty else { return error.message }
        return "\(error.message) (\(error.detail.escapingControls))"
    }

    /// What was refused here is a refusal; what the network did is trouble.
    private static func code(of error: TransportError) -> Code {
        let refusals: [TransportError.Code] = [
            .certificateNotTrusted, .pinningFailed, .reservedField, .unsupported, .targetMismatch,
            .invalidConfiguration,
        ]
        let exit: ExitCode = refusals.contains(error.code) ? .refused : .trouble
        return Code(description: error.code.description, exit: exit)
    }

    private static func message(of error: TransportError) -> String {
        [error.message, error.host.map { "host \($0)" }, error.phase.map { "while \($0.rawValue)" }]
            .compactMap(\.self).joined(separator: ", ")
    }
}

extension ToolError.Code {
    /// The code of a library that refused its input.
    fileprivate static func refusal(_ code: some CustomStringConvertible) -> ToolError.Code {
        ToolError.Code(description: code.description, exit: .refused)
    }
}
