import AWSSigning
import Cryptography
import FoundationEssentials
import HTTPMessages
import Locking
import ProtectionTesting
import Timing

/// The credentials and dates that AWS's own examples use; none of them opens anything.
enum Example {
    static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    static let suiteSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    /// 2013-05-24T00:00:00Z.
    static let date = Date(timeIntervalSince1970: 1_369_353_600)
    /// 2015-08-30T12:36:00Z.
    static let suiteDate = Date(timeIntervalSince1970: 1_440_938_160)

    static func credentials(
        _ accessKeyID: String = "AKIAIOSFODNN7EXAMPLE",
        secret: String = secret,
        token: String? = nil,
        expiration: Date? = nil
    ) throws -> AWSCredentials {
        try AWSCredentials(
            accessKeyID: accessKeyID,
            secretAccessKey: SecretBytes(Array(secret.utf8)),
            sessionToken: token,
            expiration: expiration
        )
    }

    static func suiteCredentials(token: String? = nil) throws -> AWSCredentials {
        try credentials("AKIDEXAMPLE", secret: suiteSecret, token: token)
    }

    static func s3Signer(at date: Date = date) throws -> RequestSigner {
        RequestSigner(try .s3(region: "us-east-1"), time: fixedTime(date))
    }

    static func fixedTime(_ date: Date) -> TimeSource {
        TimeSource(date: { date }, uptime: { .zero }, sleep: { _ in })
    }

    /// The published public key that SigV4a derives from the suite's credentials.
    static func publicKey() throws -> PublicKey {
        try PublicKey(
            x963: [
                0x04,
                0xb6, 0x61, 0x8f, 0x6a, 0x65, 0x74, 0x0a, 0x99, 0xe6, 0x50, 0xb3, 0x3b, 0x6b, 0x4b, 0x5b,
                0xd0,
                0xd4, 0x3b, 0x17, 0x6d, 0x72, 0x1a, 0x3e, 0xdf, 0xea, 0x7e, 0x7d, 0x2d, 0x56, 0xd9, 0x36,
                0xb1,
                0x86, 0x5e, 0xd2, 0x2a, 0x7e, 0xad, 0xc9, 0xc5, 0xcb, 0x9d, 0x2c, 0xba, 0xca, 0x1b, 0x36,
                0x99,
                0x13, 0x9f, 0xed, 0xc5, 0x04, 0x3d, 0xc6, 0x66, 0x18, 0x64, 0x21, 0x83, 0x30, 0xc8, 0xe5,
                0x18,
            ],
            curve: .p256
        )
    }
}

/// Clocks that stand still until a test moves them.
final class TestClock: Sendable {
    private let time: ManualTime

    init(_ date: Date = Example.date) { time = ManualTime(date: date) }

    var source: TimeSource { time.source }

    /// How many tasks sleep now.
    var sleeperCount: Int { time.sleeperCount }

    func advance(by seconds: Double) { time.advance(by: .seconds(seconds)) }
}

/// A session that keeps each request and answers it from a closure.
final class TestSession: HTTPSession {
    private let answer: @Sendable (HTTPRequest, Int) async throws -> HTTPResponse
    private let state = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse) {
        self.answer = answer
    }

    var requests: [HTTPRequest] { state.withLock { $0 } }

    func data(for request: HTTPRequest) async throws -> HTTPResponse {
        let count = state.withLock { requests in
            requests.append(request)
            return requests.count
        }
        return try await answer(request, count)
    }
}

extension HTTPRequest {
    init(
        _ method: HTTPMethod = .get,
        _ url: String,
        _ fields: [(String, String)] = [],
        body: String? = nil
    ) throws {
        try self.init(method: method, url: url, body: body.map { HTTPBody($0) })
        for (name, value) in fields { try self.fields.append(value, for: HTTPField.Name(name)) }
    }

    subscript(name: HTTPField.Name) -> String? { fields[name] }
}
