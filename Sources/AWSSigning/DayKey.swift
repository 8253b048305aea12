internal import Cryptography

/// A key, with what else is the same in all signatures of its day.
final class DayKey: Sendable {
    let key: SigningKey
    private let day: Int64
    private let accessKeyID: String
    private let secret: SecretBytes
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
        self.day = time.dayNumber
        accessKeyID = credentials.accessKeyID
        secret = credentials.secretAccessKey
        var scope: [UInt8] = []
        StringToSign.appendScope(scheme, at: time, for: profile, to: &scope)
        self.scope = scope
        authorizationStart =
            Array("\(scheme.name) Credential=\(credentials.accessKeyID)/".utf8) + scope
            + Array(", SignedHeaders=".utf8)
    }

    /// Whether the key is that of the credentials on a day.
    func isOf(_ credentials: AWSCredentials, day: Int64) -> Bool {
        isOf(day, credentials.accessKeyID, credentials.secretAccessKey)
    }

    /// Whether both are for the same credentials on the same day.
    func isSame(as other: DayKey) -> Bool { isOf(other.day, other.accessKeyID, other.secret) }

    private func isOf(_ day: Int64, _ accessKeyID: String, _ secret: SecretBytes) -> Bool {
        self.day == day && self.accessKeyID == accessKeyID
            && (self.secret === secret || self.secret == secret)
    }
}
