import HTTPMessages

/// What an app sets on the service; each real initialization starts again from these values.
struct ProtectionSettings: Sendable {
    struct PrefixedHeader: Sendable {
        let name: HTTPField.Name
        let prefix: String
    }

    var tokenHeader = PrefixedHeader(name: "Protection-Token", prefix: "")
    var traceIDHeader: HTTPField.Name? = "Protection-TraceID"
    var bindingHeaders: [HTTPField.Name] = []
    var dataHash: [UInt8]?
    var usesStatusIfNoToken = false
    var substitutionHeaders: [PrefixedHeader] = []
    var substitutionQueryParameters: [String] = []
    var exclusions: [ExclusionPattern] = []
}
