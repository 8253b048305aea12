import Encodings

/// The compact serialization of RFC 7515, section 7.1, taken apart but not believed.
struct CompactSerialization: Sendable {
    /// The text's octets.
    let octets: [UInt8]
    /// Where the payload and the signature start in the text.
    let payloadStart: Int
    let signatureStart: Int
    let header: TokenHeader

    /// What the signature covers, in the very octets that came: the first two parts with the dot between them.
    var signedRange: Range<Int> { 0..<(signatureStart - 1) }

    /// Finds the parts and reads the header.
    ///
    /// - Throws: ``TokenError`` with code `tooLarge`, `malformed`, `invalidEncoding`, `duplicateMember`, `invalidHeader` or
    ///   `unsupportedCriticalHeader`.
    init(_ text: String, maximumSize: Int, memory: HeaderMemory? = nil) throws(TokenError) {
        guard text.utf8.count <= maximumSize else {
            throw TokenError(.tooLarge, "the token is longer than the limit", at: maximumSize)
        }
        octets = Array(text.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = octets.firstIndex(of: dot),
            let second = octets[(first + 1)...].firstIndex(of: dot)
        else { throw TokenError(.malformed, "the token does not have three parts", at: octets.count) }
        if let third = octets[(second + 1)...].firstIndex(of: dot) {
            throw TokenError(.malformed, "the token has more than three parts", at: third)
        }
        payloadStart = first + 1
        signatureStart = second + 1
        if let header = memory?.header(for: octets[..<first]) {
            self.header = header
            return
        }
        header = try TokenHeader(Self.object(octets, 0..<first, .invalidHeader))
        // No extension is known here, so each one that must be understood is one too many.
        guard header.critical.isEmpty else {
            throw TokenError(
                .unsupportedCriticalHeader,
                "the header demands an extension that is not supported"
            )
        }
    }

    /// The header as it came.
    var encodedHeader: ArraySlice<UInt8> { octets[..<(payloadStart - 1)] }

    func payload() throws(TokenError) -> [UInt8] {
        try Self.decode(octets, payloadStart..<(signatureStart - 1))
    }

    func signature() throws(TokenError) -> [UInt8] {
        try Self.decode(octets, signatureStart..<octets.count)
    }

    func claims() throws(TokenError) -> TokenClaims {
        try TokenClaims(Self.object(octets, payloadStart..<(signatureStart - 1), .invalidClaims))
    }

    private static func decode(_ octets: [UInt8], _ part: Range<Int>) throws(TokenError) -> [UInt8] {
        do throws(DecodingFault) { return try Base64.url.decode(Array(octets[part])) } catch {
            throw TokenError(
                .invalidEncoding,
                "a part of the token is not base64url",
                at: part.lowerBound + error.offset
            )
        }
    }

    private static func object(
        _ octets: [UInt8],
        _ part: Range<Int>,
        _ code: TokenError.Code
    ) throws(TokenError) -> JSONObject {
        let json = try decode(octets, part)
        do throws(DecodingFault) {
            if case .object(let object) = try JSONValue(parsing: json) { return object }
        } catch {
            // Three octets of JSON are four of the text.
            throw TokenError(
                error.code == .duplicateMember ? .duplicateMember : code,
                "a part of the token is not the JSON it must be",
                at: part.lowerBound + error.offset * 4 / 3,
                underlying: nil
            )
        }
        throw TokenError(code, "a part of the token is not a JSON object", at: part.lowerBound)
    }
}
