/// A TPMS_ATTEST of the kind that certifies a key (TPM 2.0, part 2, section 10.12.12).
struct TPMCertification {
    /// The data that the caller had the TPM sign along.
    let extraData: [UInt8]
    /// The name of the certified key: the number of a hash, and the hash of the public area.
    let name: [UInt8]

    init(_ bytes: [UInt8]) throws(AttestationError) {
        var reader = TPMReader(bytes)
        // TPM_GENERATED_VALUE: a TPM signs no octets from outside that start like this.
        guard try reader.uint32() == 0xFF54_4347, try reader.uint16() == 0x8017 else {
            throw AttestationError(.malformedTPMStructure, "the structure does not certify a key of a TPM")
        }
        _ = try reader.sized()  // qualifiedSigner
        extraData = try reader.sized()
        _ = try reader.octets(17)  // clockInfo
        _ = try reader.octets(8)  // firmwareVersion
        name = try reader.sized()
        _ = try reader.sized()  // qualifiedName
        try reader.finish()
    }
}
