internal import Cryptography
internal import FoundationEssentials
public import HTTPMessages
public import Timing

/// Trades a token that another issuer gave for credentials of a role: AssumeRoleWithWebIdentity of STS.
///
/// The token is in a file that a platform keeps fresh, read each time; it goes in the body of the request, not in its
/// URL.
public struct WebIdentityCredentialsProvider: AWSCredentialsProvider {
    private let role: String
    private let tokenFile: String
    private let region: String?
    private let session: any HTTPSession
    private let sessionName: String?
    private let endpoint: String?
    private let time: TimeSource

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - role: The ARN of the role.
    ///   - tokenFile: The path of the file with the token.
    ///   - region: The region whose STS is asked.
    ///   - session: Sends the request.
    ///   - sessionName: The name of the session, 2 to 64 characters; nil for one made of the time.
    ///   - endpoint: Another STS, under TLS or on this machine.
    ///   - time: The clocks.
    public init(
        role: String,
        tokenFile: String,
        region: String?,
        session: any HTTPSession,
        sessionName: String? = nil,
        endpoint: String? = nil,
        time: TimeSource = .system
    ) {
        self.role = role
        self.tokenFile = tokenFile
        self.region = region
        self.session = session
        self.sessionName = sessionName
        self.endpoint = endpoint
        self.time = time
    }

    /// Reads `AWS_ROLE_ARN`, `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_SESSION_NAME`, the region and
    /// `AWS_ENDPOINT_URL_STS`.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when the role or the file is not set.
    public init(
        session: any HTTPSession,
        environment: AWSEnvironment = .process,
        time: TimeSource = .system
    ) throws(AWSSigningError) {
        guard let role = environment["AWS_ROLE_ARN"], let file = environment["AWS_WEB_IDENTITY_TOKEN_FILE"]
        else {
            throw AWSSigningError(.noCredentials, "the environment names no role with a web identity")
        }
        self.init(
            role: role,
            tokenFile: file,
            region: environment.region,
            session: session,
            sessionName: environment["AWS_ROLE_SESSION_NAME"],
            endpoint: environment["AWS_ENDPOINT_URL_STS"],
            time: time
        )
    }

    /// The credentials of the role.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidRegion` when there is none whose STS could be asked,
    ///   `invalidConfiguration` for an endpoint that is no URL, `endpointRefused` for one that is neither under TLS nor on
    ///   this machine, `unreadableFile` when the token's file is missing, empty or cannot be used, `endpointFailed`,
    ///   `invalidResponse`, `invalidCredentials` for an answer with a key or a token that cannot be; `CancellationError` when
    ///   the task was cancelled.
    public func credentials() async throws -> AWSCredentials {
        let url = try address()
        guard let token = try SmallFile.text(tokenFile), !token.isEmpty else {
            throw AWSSigningError(.unreadableFile, "the file of the web identity is missing or empty")
        }
        let name = sessionName ?? "swift-\(time.secondsSince1970)"
        let form = [
            ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
            ("RoleSessionName", name), ("WebIdentityToken", token),
        ]
        let body = form.map { "\($0)=\(URIEncoding.encode($1))" }.joined(separator: "&")
        let response = try await CredentialsEndpoint.send(
            .post,
            url,
            fields: [(.contentType, "application/x-www-form-urlencoded")],
            body: HTTPBody(body),
            timeout: .seconds(10),
            through: session
        )
        guard response.status == .ok else { throw CredentialsEndpoint.refusal(response) }
        return try Self.credentials(from: response.body)
    }

    private func address() throws(AWSSigningError) -> String {
        guard let endpoint else {
            guard let region, AWSPartition.isLabel(region) else {
                throw AWSSigningError(.invalidRegion, "there is no region whose STS could be asked")
            }
            return "https://sts.\(region).\(AWSPartition.domain(of: region))/"
        }
        let target = try AWSSigningError.message(.invalidConfiguration, "the endpoint is not a URL") {
            () throws(HTTPMessageError) in try RequestTarget(endpoint)
        }
        guard target.isSecure || target.isLoopback else {
            throw AWSSigningError(.endpointRefused, "a web identity is not sent without TLS")
        }
        return endpoint
    }

    static func credentials(from octets: [UInt8]) throws(AWSSigningError) -> AWSCredentials {
        let root = try XMLElement(octets)
        guard root.name == "AssumeRoleWithWebIdentityResponse",
            let element = root.child("AssumeRoleWithWebIdentityResult")?.child("Credentials"),
            let accessKeyID = element.child("AccessKeyId")?.text,
            let secret = element.child("SecretAccessKey")?.text,
            let token = element.child("SessionToken")?.text,
            let expiration = element.child("Expiration")?.text,
            let date = TimestampReader.date(fromISO8601: expiration)
        else {
            throw AWSSigningError(.invalidResponse, "the answer of STS lacks a part of the credentials")
        }
        return try AWSCredentials(
            accessKeyID: accessKeyID,
            secretAccessKey: SecretBytes(Array(secret.utf8)),
            sessionToken: token,
            expiration: date
        )
    }
}
