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
        // Where one member is covered, the others may be anybody's.
        let covered = component.key.map { key in field.digests.filter { $0.key.rawValue == key } }
        try DigestField(digests: covered ?? field.digests).check(content, minimum: minimum)
    }
}
