internal import StructuredFields

/// Which names there are, and which parameters go with them (RFC 9421, sections 2.1, 2.2 and 2.5).
enum ComponentRules {
    static func check(_ name: String, _ parameters: Parameters) throws(SignatureError) {
        if name == "@signature-params" {
            throw SignatureError(
                .signatureParamsCovered,
                "@signature-params cannot be covered",
                component: name
            )
        }
        if name.utf8.first == UInt8(ascii: "@") {
            guard ComponentIdentifier.Derivation(rawValue: name) != nil else {
                throw SignatureError(.unknownDerivedComponent, "there is no such derived component")
            }
            try checkDerived(name, parameters)
        } else {
            guard !name.isEmpty, name.utf8.allSatisfy(isNameOctet) else {
                throw SignatureError(.invalidComponentName, "a field is named by a token in lower case")
            }
            try checkField(name, parameters)
        }
    }

    private static func checkDerived(_ name: String, _ parameters: Parameters) throws(SignatureError) {
        for (key, value) in parameters {
            switch key {
            case "req": try checkFlag(value, name)
            case "name" where name == "@query-param": try checkString(value, name)
            default:
                throw SignatureError(
                    .componentParameterNotApplicable,
                    "the parameter does not go with this derived component",
                    component: name
                )
            }
        }
        if name == "@status", parameters["req"] != nil {
            throw SignatureError(.statusInRequest, "a request has no status", component: name)
        }
        if name == "@query-param", parameters["name"] == nil {
            throw SignatureError(.queryParamNameMissing, "the parameter name is missing", component: name)
        }
    }

    private static func checkField(_ name: String, _ parameters: Parameters) throws(SignatureError) {
        for (key, value) in parameters {
            switch key {
            case "sf", "bs", "req", "tr": try checkFlag(value, name)
            case "key": try checkString(value, name)
            default:
                throw SignatureError(
                    .unknownComponentParameter,
                    "the parameter does not go with a field",
                    component: name
                )
            }
        }
        if parameters["bs"] != nil, parameters["sf"] != nil || parameters["key"] != nil {
            throw SignatureError(
                .incompatibleComponentParameters,
                "bs goes neither with sf nor with key",
                component: name
            )
        }
    }

    /// A flag is there or not; what `?0` would mean the standard does not say.
    private static func checkFlag(_ value: BareItem, _ name: String) throws(SignatureError) {
        guard value.boolean == true else {
            throw SignatureError(
                .malformedComponentParameter,
                "a flag has no value but true",
                component: name
            )
        }
    }

    private static func checkString(_ value: BareItem, _ name: String) throws(SignatureError) {
        guard value.string != nil else {
            throw SignatureError(.malformedComponentParameter, "key and name are strings", component: name)
        }
    }

    /// The octets of a token (RFC 9110, section 5.6.2) without capitals.
    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
        }
    }
}
