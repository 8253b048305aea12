public import HTTPMessages

/// Asks the endpoint that ECS and the pod identity of EKS offer inside a container.
///
/// The endpoint is in `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` or `AWS_CONTAINER_CREDENTIALS_FULL_URI`, what authorises
/// the request in `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE`, read each time, or `AWS_CONTAINER_AUTHORIZATION_TOKEN`.
public struct ContainerCredentialsProvider: AWSCredentialsProvider {
    /// The addresses that may be asked without TLS, besides those of this machine: of ECS, and of EKS in both families.
    private static let plainHosts: Set<String> = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]

    private let environment: AWSEnvironment
    private let session: any HTTPSession

    /// Makes a provider that sends its requests through a session.
    public init(session: any HTTPSession, environment: AWSEnvironment = .process) {
        self.session = session
        self.environment = environment
    }

    /// The credentials of the task or pod.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when no endpoint is set, `endpointRefused` for one without
    ///   TLS that is neither on this machine nor one of the known addresses, `invalidConfiguration` for an endpoint that is
    ///   no URL, a relative one that does not start with a slash, or a token that no field can hold, `invalidURL` for a
    ///   relative one with a character that a URL cannot hold, `unreadableFile` when the token's file is missing, empty or
    ///   cannot be used, `endpointFailed`, `invalidResponse`, `invalidCredentials` for an answer with a key or a token that
    ///   cannot be; `CancellationError` when the task was cancelled.
    public func credentials() async throws -> AWSCredentials {
        let url = try endpoint()
        var fields: [(HTTPField.Name, String)] = []
        if let token = try token() { fields.append((.authorization, token)) }
        let response = try await CredentialsEndpoint.send(
            .get,
            url,
            fields: fields,
            timeout: .seconds(5),
            through: session
        )
        guard response.status == .ok else { throw CredentialsEndpoint.refusal(response) }
        return try CredentialsEndpoint.credentials(fromJSON: response.body)
    }

    private func endpoint() throws(AWSSigningError) -> String {
        if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
            guard path.hasPrefix("/") else {
                throw AWSSigningError(
                    .invalidConfiguration,
                    "the relative address does not start with a slash"
                )
            }
            return "http://169.254.170.2\(path)"
        }
        guard let url = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] else {
            throw AWSSigningError(.noCredentials, "the environment names no endpoint of a container")
        }
        let target = try AWSSigningError.message(.invalidConfiguration, "the endpoint is not a URL") {
            () throws(HTTPMessageError) in try RequestTarget(url)
        }
        guard target.isSecure || target.isLoopback || Self.plainHosts.contains(target.host) else {
            throw AWSSigningError(
                .endpointRefused,
                "credentials are not fetched without TLS from a foreign host"
            )
        }
        return url
    }

    private func token() throws(AWSSigningError) -> String? {
        var token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
        if let path = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
            token = try SmallFile.text(path)
            guard token?.isEmpty == false else {
                throw AWSSigningError(
                    .unreadableFile,
                    "the file of the container's token is missing or empty"
                )
            }
        }
        guard let token else { return nil }
        guard token.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), token.first != " ", token.last != " "
        else {
            throw AWSSigningError(.invalidConfiguration, "the container's token holds a wrong character")
        }
        return token
    }
}
