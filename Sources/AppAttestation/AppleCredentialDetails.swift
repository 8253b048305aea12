import Cryptography

/// What the credential certificate of App Attest tells beside the nonce, in extensions that Apple does not document.
///
/// Apple's authority vouches for these values as for the whole certificate, but their meaning is only what has been seen:
/// take them for logs and statistics. No check of this library depends on them. An extension that is absent, or not in the form
/// that was seen, is nil, because Apple may change what it has not described.
public struct AppleCredentialDetails: Sendable, Hashable {
    /// Of the key and the app (1.2.840.113635.100.8.5).
    ///
    /// Seen in every certificate, with small numbers, with the octets `sks ` under 5, and with the App ID under 1204.
    public let keyAttributes: AppleAttributes?
    /// The rules for the use of the key (1.2.840.113635.100.8.6), from iOS 26 on: an element in DER, which is not read here.
    public let accessControl: [UInt8]?
    /// Of the system (1.2.840.113635.100.8.7): its version alone in early certificates.
    public let systemAttributes: AppleAttributes?

    /// The App ID (tag 1204 of ``keyAttributes``), which the verifier has compared by its hash in the authenticator data.
    public var appID: String? { keyAttributes?.text(1204) }
    /// The version of the system, such as `17.6.1` (tag 1400 of ``systemAttributes``).
    public var systemVersion: String? { systemAttributes?.text(1400) }
    /// The build of the system, such as `21G93` (tag 1403 of ``systemAttributes``).
    public var systemBuild: String? { systemAttributes?.text(1403) }
    /// The name of the platform, such as `iphoneos` (tag 1026 of ``systemAttributes``).
    public var platform: String? { systemAttributes?.text(1026) }

    /// Reads the extensions of a certificate.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` for an extension that stands twice (RFC 5280, section
    ///   4.2), or `libraryFailure`.
    init(_ leaf: Certificate) throws(CryptographyError) {
        func value(_ number: Int) throws(CryptographyError) -> [UInt8]? {
            try leaf.extensionValue("1.2.840.113635.100.8.\(number)")?.value
        }
        keyAttributes = try value(5).flatMap(AppleAttributes.init)
        accessControl = try value(6).flatMap(Self.accessControl)
        systemAttributes = try value(7).flatMap(AppleAttributes.init)
    }

    /// SEQUENCE { [3] EXPLICIT OCTET STRING }.
    private static func accessControl(_ der: [UInt8]) -> [UInt8]? {
        var outer = DERReader(der)
        guard var fields = outer.read(.sequence).map({ DERReader($0) }), outer.isAtEnd,
            var tagged = fields.read(.constructed(3)).map({ DERReader($0) }), fields.isAtEnd,
            let octets = tagged.read(.octetString), tagged.isAtEnd
        else { return nil }
        return Array(octets)
    }
}
