/// Gives the same credentials each time.
public struct StaticCredentialsProvider: AWSCredentialsProvider {
    private let fixed: AWSCredentials

    /// Keeps the credentials.
    public init(_ credentials: AWSCredentials) {
        fixed = credentials
    }

    /// The credentials.
    public func credentials() async throws -> AWSCredentials { fixed }
}
