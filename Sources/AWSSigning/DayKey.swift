/// A key, with what else is the same in all signatures of its day.
final class DayKey: Sendable {
    let key: SigningKey
    /// The credential scope.
    let scope: [UInt8]
    /// An `Authorization` up to the names of the signed fields.
    let authorizationStart: [UInt8]

    init(
        _ credentials: AWSCredentials,
        scheme: SignatureScheme,
        at time: SigningTime,
        profile: ServiceProfile
    ) throws(AWSSigningError) {
        key = try SigningKey(credentials, scheme: scheme, day: time.day, profile: profile)
        var scope: [UInt8] = []
        StringToSign.appendScope(scheme, at: time, for: profile, to: &scope)
        self.scope = scope
        authorizationStart =
            Array("\(scheme.name) Credential=\(credentials.accessKeyID)/".utf8) + scope
            + Array(", SignedHeaders=".utf8)
    }
}
