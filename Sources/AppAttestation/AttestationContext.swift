public import Cryptography

/// What a format is asked to judge.
public struct AttestationContext: Sendable {
    /// The object, of the format's own name.
    public let object: AttestationObject
    /// The hash of the client data, 16 octets or more.
    public let clientDataHash: [UInt8]
    /// The identifier under which the client presented the key.
    public let keyID: [UInt8]
    /// The time at which certificates must be in force, in seconds since 1970-01-01T00:00:00Z.
    public let time: Int64

    /// The octets that statements vouch for: the authenticator data and after them the client data hash.
    public var signedBytes: [UInt8] { object.authenticatorData.bytes + clientDataHash }

    /// Refuses a statement with other members than these.
    ///
    /// - Throws: ``AttestationError`` with code `malformedStatement`.
    public func requireMembers(_ names: [String]) throws(AttestationError) {
        guard object.statement.members?.count == names.count,
            names.allSatisfy({ object.statement[$0] != nil })
        else {
            throw AttestationError(
                .malformedStatement,
                "the statement does not have the members of its format"
            )
        }
    }

    /// Reads the certificates of the statement's `x5c`, the leaf first, and verifies them at ``time``.
    ///
    /// - Parameters:
    ///   - count: How many there may be.
    ///   - verifier: The roots of trust.
    /// - Returns: The verified chain from the leaf to the root.
    /// - Throws: ``AttestationError`` with code `malformedStatement`, `certificateCount`, `invalidCertificate`, or those of
    ///   an untrusted chain.
    public func verifiedChain(
        count: ClosedRange<Int>,
        _ verifier: CertificateVerifier
    ) throws(AttestationError) -> [Certificate] {
        guard let items = object.statement["x5c"]?.elements else {
            throw AttestationError(.malformedStatement, "the statement has no array of certificates")
        }
        guard count.contains(items.count) else {
            throw AttestationError(.certificateCount, "the statement has too few or too many certificates")
        }
        var certificates: [Certificate] = []
        for item in items {
            guard let der = item.byteString else {
                throw AttestationError(.malformedStatement, "a certificate is not a byte string")
            }
            certificates.append(
                try AttestationError.certificate { () throws(CryptographyError) in try Certificate(der: der) }
            )
        }
        return try AttestationError.certificate { () throws(CryptographyError) in
            try verifier.verify(certificates[0], intermediates: Array(certificates.dropFirst()), at: time)
        }
    }
}
