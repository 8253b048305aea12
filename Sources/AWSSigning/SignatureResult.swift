internal import HTTPMessages

/// A signature, with the text that it is made over and the key that made it.
struct SignatureResult {
    let text: StringToSign
    let signature: [UInt8]
    let key: DayKey

    /// The value of `Authorization`.
    func authorization(_ canonical: CanonicalRequest) -> String {
        let names = canonical.signedFieldNames
        var output: [UInt8] = []
        output.reserveCapacity(key.authorizationStart.count + names.count + signature.count + 16)
        output.append(contentsOf: key.authorizationStart)
        output.append(contentsOf: names)
        output.append(contentsOf: ", Signature=".utf8)
        output.append(contentsOf: signature)
        return String(decoding: output, as: UTF8.self)
    }

    /// The request that is sent, with what was computed on the way.
    func request(
        _ request: HTTPRequest,
        canonical: CanonicalRequest,
        payload: Payload,
        at time: SigningTime
    ) -> SignedRequest {
        SignedRequest(
            request: request,
            canonicalRequest: canonical,
            stringToSign: text,
            payload: payload,
            signatureOctets: signature,
            key: key.key,
            time: time
        )
    }
}
