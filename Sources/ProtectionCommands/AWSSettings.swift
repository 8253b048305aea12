import AWSSigning

/// What the options and the environment say of a signature for AWS.
struct AWSSettings {
    private let invocation: Invocation
    private let environment: AWSEnvironment
    /// The profile of `--credentials`.
    private let ownProfile: AWSProfile?
    /// The account of `--r2`.
    let account: R2Account?

    private static let limit = 1 << 20
    /// The services that take paths as object stores do.
    private static let objectStores: Set = ["s3", "s3express", "s3-object-lambda", "s3-outposts"]

    init(_ invocation: Invocation) throws {
        let arguments = invocation.arguments
        self.invocation = invocation
        environment = AWSEnvironment(invocation.surroundings.environment)
        for other in ["region", "service", "authority"] { try arguments.exclude("r2", other) }
        account = try arguments["r2"].map { name in
            guard let account = R2Account(name) else {
                throw invocation.usage("--r2 takes the identifier of an account, as it stands in its host")
            }
            return account
        }
        ownProfile = try arguments["credentials"].map { path in
            let octets = try invocation.files.read(
                path,
                "the file with the credentials",
                limit: Self.limit,
                trust: .secret
            )
            return try AWSProfile(arguments["profile"], credentialsFile: octets)
        }
    }

    func serviceProfile() throws -> ServiceProfile {
        guard account == nil else { return .r2 }
        guard let region = try invocation.arguments["region"] ?? environment.region ?? profile()?.region
        else { throw invocation.usage("there is no region: --region, AWS_REGION or the profile names it") }
        let service = invocation.arguments["service"] ?? "s3"
        return Self.objectStores.contains(service)
            ? try .s3(region: region, service: service) : try ServiceProfile(service: service, region: region)
    }

    func credentials() async throws -> AWSCredentials {
        if let ownProfile { return try ownProfile.credentials() }
        let shared = ProfileCredentialsProvider(invocation.arguments["profile"], environment: environment)
        guard invocation.arguments["profile"] == nil else { return try await shared.credentials() }
        let sources: [any AWSCredentialsProvider] = [EnvironmentCredentialsProvider(environment), shared]
        return try await ChainedCredentialsProvider(sources).credentials()
    }

    private func profile() throws -> AWSProfile? {
        if let ownProfile { return ownProfile }
        do throws(AWSSigningError) {
            return try AWSProfile(invocation.arguments["profile"], environment: environment)
        } catch  where error.code == .noCredentials {
            return nil
        }
    }
}
