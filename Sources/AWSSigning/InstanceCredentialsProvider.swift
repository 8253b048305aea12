public import HTTPMessages

/// Asks the metadata service of an EC2 instance, version 2: a token first, then the role, then its credentials.
///
/// Version 1, without a token, is never used: it answers whoever can make this process send a GET request.
public struct InstanceCredentialsProvider: AWSCredentialsProvider {
    private static let defaultEndpoint = "http://169.254.169.254"
    /// The longest life that a token can have.
    private static let tokenLife = "21600"

    private let environment: AWSEnvironment
    private let session: any HTTPSession
    private let timeout: Duration

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - session: Sends the requests, without a proxy, which would ask for the role of its own machine.
    ///   - environment: `AWS_EC2_METADATA_DISABLED`, `AWS_EC2_METADATA_SERVICE_ENDPOINT` and, when that is not set,
    ///     `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE` are read.
    ///   - timeout: How long each request may take; elsewhere than on an instance nobody answers. Each is sent twice when
    ///     the first has no answer, or one of a server in trouble.
    public init(
        session: any HTTPSession,
        environment: AWSEnvironment = .process,
        timeout: Duration = .seconds(1)
    ) {
        self.session = session
        self.environment = environment
        self.timeout = timeout
    }

    /// The credentials of the instance's role.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when the service is switched off, does not answer or knows
    ///   no role, `invalidConfiguration` for an endpoint that is no URL, `endpointRefused` for one of another kind than
    ///   link-local, on this machine or under TLS, `endpointFailed`, `invalidResponse`, `invalidCredentials` for an answer
    ///   with a key or a token that cannot be; `CancellationError` when the task was cancelled.
    public func credentials() async throws -> AWSCredentials {
        guard environment["AWS_EC2_METADATA_DISABLED"]?.lowercased() != "true" else {
            throw AWSSigningError(.noCredentials, "the metadata service is switched off")
        }
        let root = try endpoint()
        let token = try await token(root)
        let path = "\(root)/latest/meta-data/iam/security-credentials/"
        let list = try await get(path, token)
        guard list.status != .notFound else {
            throw AWSSigningError(.noCredentials, "the instance has no role")
        }
        guard list.status == .ok else { throw CredentialsEndpoint.refusal(list) }
        guard let role = list.text?.split(whereSeparator: \.isNewline).first, Self.isRole(role) else {
            throw AWSSigningError(.invalidResponse, "the metadata service names no role that can exist")
        }
        let response = try await get("\(path)\(role)", token)
        guard response.status == .ok else { throw CredentialsEndpoint.refusal(response) }
        return try CredentialsEndpoint.credentials(fromJSON: response.body)
    }

    private func endpoint() throws(AWSSigningError) -> String {
        guard let url = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] else {
            return environment["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]?.lowercased() == "ipv6"
                ? "http://[fd00:ec2::254]" : Self.defaultEndpoint
        }
        let target = try AWSSigningError.message(.invalidConfiguration, "the endpoint is not a URL") {
            () throws(HTTPMessageError) in try RequestTarget(url)
        }
        let isLinkLocal = ["169.254.169.254", "[fd00:ec2::254]"].contains(target.host)
        guard target.isSecure || target.isLoopback || isLinkLocal else {
            throw AWSSigningError(
                .endpointRefused,
                "credentials are not fetched without TLS from a foreign host"
            )
        }
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    private func token(_ root: String) async throws -> String {
        let response: HTTPResponse
        do {
            response = try await send(
                .put,
                "\(root)/latest/api/token",
                fields: [("X-aws-ec2-metadata-token-ttl-seconds", Self.tokenLife)],
                body: HTTPBody([])
            )
        } catch let error as AWSSigningError where error.code == .endpointFailed {
            throw AWSSigningError(.noCredentials, "no metadata service answers", underlying: error.underlying)
        }
        guard response.status == .ok else { throw CredentialsEndpoint.refusal(response) }
        guard let token = response.text, !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw AWSSigningError(.invalidResponse, "the metadata service gives no token that can be sent")
        }
        return token
    }

    private func get(_ url: String, _ token: String) async throws -> HTTPResponse {
        try await send(.get, url, fields: [("X-aws-ec2-metadata-token", token)])
    }

    /// Sends a request, and once more when there is no answer or one with status 5xx.
    private func send(
        _ method: HTTPMethod,
        _ url: String,
        fields: [(HTTPField.Name, String)],
        body: HTTPBody? = nil
    ) async throws -> HTTPResponse {
        let attempt = {
            try await CredentialsEndpoint.send(
                method,
                url,
                fields: fields,
                body: body,
                timeout: timeout,
                through: session
            )
        }
        do {
            let response = try await attempt()
            guard response.status.code >= 500 else { return response }
        } catch let error as AWSSigningError where error.code == .endpointFailed {}
        return try await attempt()
    }

    /// The characters that IAM allows in the name of a role, all of which a path can hold.
    private static func isRole(_ name: Substring) -> Bool {
        (1...128).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "+=,.@_-".utf8.contains($0)
                }
            }
    }
}
