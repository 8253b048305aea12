internal import Cryptography

/// One profile of the shared files, `~/.aws/config` and `~/.aws/credentials`.
///
/// The files' places come from `AWS_CONFIG_FILE` and `AWS_SHARED_CREDENTIALS_FILE`, the profile's name from
/// `AWS_PROFILE`; what the credentials file says of it counts.
public struct AWSProfile: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name.
    public let name: String
    private let properties: [String: String]

    /// Reads a profile.
    ///
    /// - Parameters:
    ///   - name: The name; nil for the environment's, or `default`.
    ///   - environment: Where the files are.
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when there is no such profile and none was asked for,
    ///   `unsupportedProfile` when one was, `invalidConfiguration` or `unreadableFile` for a file that cannot be used.
    public init(_ name: String? = nil, environment: AWSEnvironment = .process) throws(AWSSigningError) {
        let wanted = name ?? environment["AWS_PROFILE"]
        let files: [(path: String, kind: ConfigurationFile.Kind)] = [
            (environment["AWS_CONFIG_FILE"] ?? "~/.aws/config", .configuration),
            (environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "~/.aws/credentials", .credentials),
        ]
        self.name = wanted ?? "default"
        var found: [String: String]?
        for file in files {
            let path = environment.expanded(file.path)
            guard !path.hasPrefix("~"), let octets = try SmallFile.read(path) else { continue }
            guard let properties = try ConfigurationFile(octets, kind: file.kind).profiles[self.name] else {
                continue
            }
            found = (found ?? [:]).merging(properties) { $1 }
        }
        guard let found else {
            guard wanted == nil else { throw Self.missing(self.name) }
            throw AWSSigningError(.noCredentials, "there is no default profile")
        }
        properties = found
    }

    /// Reads a profile of a file in the form of `~/.aws/credentials`, which holds nothing but keys.
    ///
    /// - Throws: ``AWSSigningError`` with code `unsupportedProfile` when the profile is not there,
    ///   `invalidConfiguration` for a file that cannot be understood.
    package init(_ name: String?, credentialsFile octets: [UInt8]) throws(AWSSigningError) {
        self.name = name ?? "default"
        guard let found = try ConfigurationFile(octets, kind: .credentials).profiles[self.name] else {
            throw Self.missing(self.name)
        }
        properties = found
    }

    private static func missing(_ name: String) -> AWSSigningError {
        AWSSigningError(.unsupportedProfile, "there is no profile '\(name)'")
    }

    /// The keys that stand in the profile.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when there are none, `unsupportedProfile` for a profile of
    ///   another kind, `invalidConfiguration` for half an access key, `invalidCredentials` for one that cannot be.
    package func credentials() throws(AWSSigningError) -> AWSCredentials {
        guard self["role_arn"] == nil else {
            throw AWSSigningError(
                .unsupportedProfile,
                "the profile takes a role in a way that is not offered"
            )
        }
        switch (self["aws_access_key_id"], self["aws_secret_access_key"]) {
        case (let accessKeyID?, let secret?):
            return try AWSCredentials(
                accessKeyID: accessKeyID,
                secretAccessKey: SecretBytes(Array(secret.utf8)),
                sessionToken: self["aws_session_token"]
            )
        case (nil, nil):
            let others = [
                "credential_process", "sso_session", "sso_start_url", "source_profile", "credential_source",
                "login_session",
            ]
            guard others.allSatisfy({ self[$0] == nil }) else {
                throw AWSSigningError(.unsupportedProfile, "the profile asks for another kind of credentials")
            }
            throw AWSSigningError(.noCredentials, "the profile holds no credentials")
        default:
            throw AWSSigningError(.invalidConfiguration, "the profile holds one half of an access key")
        }
    }

    /// The region of the profile, or nil.
    public var region: String? { self["region"] }

    /// The name of the profile; its properties are secrets.
    public var description: String { "AWSProfile(\(name))" }

    /// A mirror of the name alone, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// A property, or nil when it is absent or empty.
    subscript(name: String) -> String? { properties[name].flatMap { $0.isEmpty ? nil : $0 } }
}
