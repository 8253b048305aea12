/// What the authenticator data of iOS 27 and later tell of the app.
public struct AppAttestExtensions: Sendable, Hashable {
    /// The build of the app (`CFBundleVersion`); nil when it is not told.
    public let bundleVersion: String?
    /// How the app was signed and delivered; nil when it is not told.
    public let validationCategory: ValidationCategory?

    /// How an app was signed and delivered.
    public struct ValidationCategory: Sendable, Hashable {
        /// Apple's number.
        public let rawValue: UInt32

        /// Takes any number.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// An executable of the operating system.
        public static let operatingSystem = ValidationCategory(rawValue: 1)
        /// TestFlight.
        public static let testFlight = ValidationCategory(rawValue: 2)
        /// Signed for development.
        public static let development = ValidationCategory(rawValue: 3)
        /// The App Store.
        public static let appStore = ValidationCategory(rawValue: 4)
        /// Enterprise or ad hoc.
        public static let enterprise = ValidationCategory(rawValue: 5)
        /// Developer ID.
        public static let developerID = ValidationCategory(rawValue: 6)
        /// Any other.
        public static let other = ValidationCategory(rawValue: 10)
    }

    /// Makes extensions out of what was stored.
    public init(bundleVersion: String? = nil, validationCategory: ValidationCategory? = nil) {
        self.bundleVersion = bundleVersion
        self.validationCategory = validationCategory
    }

    /// Reads the two known extensions and leaves others alone.
    ///
    /// The category is a byte string of a little-endian number in every object seen, and a number in Apple's description.
    ///
    /// - Throws: ``AttestationError`` with code `malformedExtensions`.
    package init(_ extensions: CBORValue?) throws(AttestationError) {
        if let value = extensions?["apple_bundle_version_01"] {
            guard let text = value.textString else { throw Self.malformed }
            bundleVersion = text
        } else {
            bundleVersion = nil
        }
        switch extensions?["apple_validation_category_01"] {
        case nil: validationCategory = nil
        case .bytes(let octets)? where octets.count == 4:
            let number = octets.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            validationCategory = ValidationCategory(rawValue: number)
        case .unsigned(let number)?:
            guard let number = UInt32(exactly: number) else { throw Self.malformed }
            validationCategory = ValidationCategory(rawValue: number)
        default: throw Self.malformed
        }
    }

    private static var malformed: AttestationError {
        AttestationError(.malformedExtensions, "an extension of the authenticator data is not in its form")
    }
}
