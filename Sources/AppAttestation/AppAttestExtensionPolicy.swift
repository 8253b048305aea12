/// Which extensions of iOS 27 and later are accepted.
public struct AppAttestExtensionPolicy: Sendable, Hashable {
    private let categories: Set<AppAttestExtensions.ValidationCategory>?
    private let isRequired: Bool

    /// Any extensions, or none.
    public static let any = AppAttestExtensionPolicy(categories: nil, isRequired: false)

    /// These categories, and none of those who do not tell one: systems before iOS 27, and keys that are not Apple's.
    public static func only(
        _ categories: Set<AppAttestExtensions.ValidationCategory>
    ) -> AppAttestExtensionPolicy { AppAttestExtensionPolicy(categories: categories, isRequired: true) }

    /// These categories, or none told; an assertion may not leave out what the attestation of its key told.
    public static func onlyOrMissing(
        _ categories: Set<AppAttestExtensions.ValidationCategory>
    ) -> AppAttestExtensionPolicy { AppAttestExtensionPolicy(categories: categories, isRequired: false) }

    private init(categories: Set<AppAttestExtensions.ValidationCategory>?, isRequired: Bool) {
        self.categories = categories
        self.isRequired = isRequired
    }

    /// - Parameters:
    ///   - extensions: What is told now; nil for nothing.
    ///   - attested: What the attestation of the same key told, for an assertion.
    /// - Throws: ``AttestationError`` with code `extensionsNotAllowed`.
    func check(
        _ extensions: AppAttestExtensions?,
        attested: AppAttestExtensions? = nil
    ) throws(AttestationError) {
        guard let categories else { return }
        let isMissingAllowed = !isRequired && attested?.validationCategory == nil
        let isAllowed = extensions?.validationCategory.map(categories.contains) ?? isMissingAllowed
        guard isAllowed else {
            throw AttestationError(.extensionsNotAllowed, "the app's validation category is not accepted")
        }
    }
}
