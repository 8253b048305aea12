internal import Encodings
internal import HTTPMessages

/// A signature, with the text that it is made over and the key that made it.
struct SignatureResult {
    let text: StringToSign
    /// Not in hexadecimal.
    let signature: [UInt8]
    let key: DayKey

    /// The value of `Authorization`.
    func authorization(_ canonical: CanonicalRequest) -> String {
        let separator = ", Signature="
        let length = key.authorizationStart.count + canonical.signedFieldNames.count + separator.utf8.count
        return OctetWriter.text(capacity: length + 2 * signature.count) { output in
            output.append(key.authorizationStart)
            output.append(canonical.signedFieldNames.span)
            output.append(separator)
            output.appendHex(signature.span)
        }
    }

    /// The request that is sent, with what was computed on the way.
    func request(
        _ request: consuming HTTPRequest,
        canonical: consuming CanonicalRequest,
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
