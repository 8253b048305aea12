/// Compares covered `Content-Digest` fields with the content (RFC 9421, section 7.2.8).
struct DigestCheck {
    let minimum: DigestAlgorithm
    let limits: SignatureLimits

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
        // A thousand members of one field are one field to compare, and one content to hash.
        var checked: Set<[Bool]> = []
        for component in components where component.name == "content-digest" {
            guard checked.insert([component.isOfRequest, component.isInTrailers]).inserted else { continue }
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
        try field.check(content, minimum: minimum)
    }
}
