/// Compares covered `Content-Digest` fields with the content (RFC 9421, section 7.2.8).
struct DigestCheck {
    let minimum: DigestAlgorithm
    let limits: SignatureLimits

    /// A field of digests, or one member of it.
    private struct Subject: Hashable {
        let isOfRequest: Bool
        let isInTrailers: Bool
        let key: String?
    }

    /// Whether the content of the message itself was compared.
    ///
    /// The content of the request that a response answers is compared when it is at hand; whoever sent the request
    /// knows what it held.
    @discardableResult
    func check(
        _ components: [ComponentIdentifier],
        in message: SignableMessage
    ) throws(SignatureError) -> Bool {
        var isContentChecked = false
        // Members of unknown algorithms are refused, so that a content is hashed a few times and not a thousand.
        var checked: Set<Subject> = []
        for component in components where component.name == "content-digest" {
            let subject = Subject(
                isOfRequest: component.isOfRequest,
                isInTrailers: component.isInTrailers,
                key: component.key
            )
            guard checked.insert(subject).inserted else { continue }
            if component.isOfRequest {
                guard let request = message.relatedRequest, request.content != nil else { continue }
                try check(component, in: request)
            } else {
                try check(component, in: message)
                isContentChecked = true
            }
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
        let values = message.values("content-digest", inTrailers: component.isInTrailers)
        let field = try DigestField(parsing: values.joined(with: ", "), limits: limits)
        if let key = component.key {
            // The other members may be anybody's: they must match, but cannot make up for a weak one that is covered.
            let covered = DigestAlgorithm(rawValue: key).flatMap { field.digests[$0] == nil ? nil : $0 }
            guard let covered, covered >= minimum else { throw DigestField.noAlgorithm }
        }
        try field.check(content, minimum: minimum)
    }
}
