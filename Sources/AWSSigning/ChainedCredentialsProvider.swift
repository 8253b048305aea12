public import FoundationEssentials
public import HTTPMessages
public import Timing

/// Asks one provider after the other and takes the first that has credentials.
///
/// Only `noCredentials` lets the next one be asked. A source that is there and broken ends the search: falling through
/// to other credentials would act in another name.
public struct ChainedCredentialsProvider: AWSCredentialsProvider {
    private let providers: [any AWSCredentialsProvider]

    /// Makes a chain, in the order in which the providers are asked.
    public init(_ providers: [any AWSCredentialsProvider]) {
        self.providers = providers
    }

    /// The order that AWS's tools have: environment, web identity, shared files, container, instance.
    ///
    /// - Parameters:
    ///   - session: Sends the requests to STS and to the endpoints of containers and instances. It should take no proxy
    ///     from the environment.
    ///   - environment: The variables.
    ///   - time: The clocks.
    /// - Returns: The chain behind a cache that renews and does single flight.
    public static func standard(
        session: any HTTPSession,
        environment: AWSEnvironment = .process,
        time: TimeSource = .system
    ) -> CachedCredentialsProvider {
        var providers: [any AWSCredentialsProvider] = [EnvironmentCredentialsProvider(environment)]
        if let identity = try? WebIdentityCredentialsProvider(
            session: session,
            environment: environment,
            time: time
        ) {
            providers.append(identity)
        }
        providers += [
            ProfileCredentialsProvider(environment: environment, session: session, time: time),
            ContainerCredentialsProvider(session: session, environment: environment),
            InstanceCredentialsProvider(session: session, environment: environment),
        ]
        return CachedCredentialsProvider(ChainedCredentialsProvider(providers), time: time)
    }

    /// The credentials of the first provider that has some.
    ///
    /// - Throws: ``AWSSigningError`` with code `noCredentials` when none has; what a provider throws otherwise.
    public func credentials() async throws -> AWSCredentials {
        try await first { try await $0.credentials() }
    }

    /// The credentials of the first provider that has some, for a date of the service's clock.
    ///
    /// - Throws: As ``credentials()``.
    public func credentials(at date: Date) async throws -> AWSCredentials {
        try await first { try await $0.credentials(at: date) }
    }

    private func first(
        _ ask: (any AWSCredentialsProvider) async throws -> AWSCredentials
    ) async throws -> AWSCredentials {
        for provider in providers {
            do {
                return try await ask(provider)
            } catch let error as AWSSigningError where error.code == .noCredentials {
                continue
            }
        }
        throw AWSSigningError(.noCredentials, "no source has credentials")
    }
}
