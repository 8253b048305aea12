/// Apple's two worlds of attested keys, told by the AAGUID.
public enum AppAttestEnvironment: String, Sendable, Hashable, CaseIterable {
    /// Apps signed for development, unless their entitlement asks for production.
    case development
    /// Apps from the App Store and TestFlight.
    case production

    /// The AAGUID: 16 octets.
    public var aaguid: [UInt8] {
        switch self {
        case .development: Array("appattestdevelop".utf8)
        case .production: Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
        }
    }
}
