/// How the two numbers of an ECDSA signature are written; other algorithms have one form and ignore this.
public enum ECDSAEncoding: Sendable, Hashable {
    /// r and s as big-endian numbers of the curve's width, one after the other (IEEE P1363; RFC 7518, section 3.4).
    case fixedWidth
    /// The ASN.1 structure Ecdsa-Sig-Value in DER (RFC 3279, section 2.2.3), as X.509 and App Attest use it.
    case der
}
