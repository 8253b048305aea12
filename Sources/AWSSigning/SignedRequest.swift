public import HTTPMessages

/// A signed request, with what was computed on the way.
public struct SignedRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The request to send, as it is.
    public let request: HTTPRequest
    /// What client and service must agree on; ``CanonicalRequest/redacted`` is for logs.
    public let canonicalRequest: CanonicalRequest
    /// What the signature is made over.
    public let stringToSign: StringToSign
    /// How the content takes part; chunks go on from the request's signature.
    public let payload: Payload
    let signatureOctets: [UInt8]
    let key: SigningKey
    let time: SigningTime

    /// The signature in hexadecimal.
    public var signature: String { LowerHex.text(signatureOctets) }

    /// Method, host and path, and which fields are signed.
    public var description: String { "\(request), signed: \(canonicalRequest.signedFields)" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
