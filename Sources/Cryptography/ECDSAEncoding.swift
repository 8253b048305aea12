internal import Encodings

/// How the two numbers of an ECDSA signature are written; other algorithms have one form and ignore this.
public enum ECDSAEncoding: Sendable, Hashable {
    /// r and s as big-endian numbers of the curve's width, one after the other (IEEE P1363; RFC 7518, section 3.4).
    case fixedWidth
    /// The ASN.1 structure Ecdsa-Sig-Value in DER (RFC 3279, section 2.2.3), as X.509 and App Attest use it.
    case der

    /// A signature in DER, written so; nil when it is not strict DER and has to be read.
    func octets(ofDER signature: Span<UInt8>, width: Int) -> [UInt8]? {
        switch self {
        case .fixedWidth: ECDSASignature.fixedWidth(fromDER: signature, width: width)
        case .der: OctetWriter.array(capacity: signature.count) { $0.append(signature) }
        }
    }
}
