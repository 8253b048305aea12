import HTTPMessages
import Protection
import ProtectionTesting

/// With an empty configuration a session is a plain one, and protection can be switched on later.
@main
struct EmptyConfig {
    static func main() async throws {
        let transport = RecordingSession()
        let session = ProtectedSession(transport: transport)

        try ProtectionService.shared.initialize(config: "")
        _ = try await session.data(from: "https://api.example.com/v1/shapes")

        let isPlain = transport.requests.first?.fields.isEmpty == true
        print("initialized: \(ProtectionService.shared.isInitialized)")
        print("enabled: \(ProtectionService.shared.isProtectionEnabled)")
        print("the request went as it was: \(isPlain)")
    }
}
