internal import HTTPMessages

/// Compares covered fields of digests with the content (RFC 9421, section 7.2.8).
struct DigestCheck {
    let minimum: DigestAlgorithm
    let limits: SignatureLimits

    /// A field of digests, or one member of it.
    private struct Subject: Hashable {
        let isOfRequest: Bool
        let isInTrailers: Bool
        let key: String?
    }

    /// The fields that can be compared.
    enum Field: String {
        case contentDigest = "content-digest"
        /// Compared only where the content is the whole representation.
        case reprDigest = "repr-digest"
    }

    /// Whether the content of the message itself was compared.
    ///
    /// The content of the request that a response answers is compared when it is at hand; whoever sent the request
    /// knows what it held.
    @discardableResult
    func check(
        _ field: Field,
        in components: [ComponentIdentifier],
        of message: SignableMessage
    ) throws(SignatureError) -> Bool {
        var isContentChecked = false
        // Members of unknown algorithms are refused, so that a content is hashed a few times and not a thousand.
        var checked: Set<Subject> = []
        for component in components where component.name == field.rawValue {
            let subject = Subject(
                isOfRequest: component.isOfRequest,
                isInTrailers: component.isInTrailers,
                key: component.key
            )
            guard checked.insert(subject).inserted else { continue }
            let source = component.isOfRequest ? message.relatedRequest : message
            guard let source, field == .contentDigest || source.holdsRepresentation else { continue }
            guard !component.isOfRequest || source.content != nil else { continue }
            try check(component, in: source)
            if !component.isOfRequest { isContentChecked = true }
        }
        return isContentChecked
    }

    private func check(
        _ component: ComponentIdentifier,
        in message: SignableMessage
    ) throws(SignatureError) {
        guard let content = message.content else {
            throw component.fault(.contentUnavailable, "the content is not at hand")
        }
        let values = message.values(component.name, inTrailers: component.isInTrailers)
        let field = try DigestField(parsing: values.joined(with: ", "), limits: limits)
        if let key = component.key {
            // The other members may be anybody's: they must match, but cannot make up for a weak one that is covered.
            let covered = DigestAlgorithm(rawValue: key).flatMap { field.digests[$0] == nil ? nil : $0 }
            guard let covered, covered >= minimum else { throw DigestField.noAlgorithm }
        }
        try field.check(content, minimum: minimum)
    }
}

extension SignableMessage {
    /// Whether the content is a whole representation without a coding, whose digest `Repr-Digest` is (RFC 9530, section 3).
    ///
    /// Of a part, or of a response that describes another state than the one it holds, nothing can be said.
    var holdsRepresentation: Bool {
        let isWhole = ["content-range", "content-encoding"].allSatisfy {
            values($0, inTrailers: false).isEmpty
        }
        guard isWhole else { return false }
        guard case .response(let status, let request) = kind else { return true }
        // A response to HEAD has the digest of what it leaves out.
        let canBeHead = request.map { $0.requestLine?.method == .head } ?? (content?.isEmpty == true)
        return status == .ok && !canBeHead
    }
}
