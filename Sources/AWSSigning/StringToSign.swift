internal import Encodings

/// What the signature is made over: algorithm, time, scope and the hash of the canonical request.
///
/// It holds no secret and may be printed.
public struct StringToSign: Sendable, Hashable, CustomStringConvertible {
    /// The octets that are signed.
    public let bytes: [UInt8]
    private let scopeRange: Range<Int>

    init(
        _ scheme: SignatureScheme,
        at time: SigningTime,
        scope: [UInt8],
        canonicalRequestHash hash: Span<UInt8>
    ) {
        let name = scheme.name
        let start = name.utf8.count + 1 + time.octets.count + 1
        scopeRange = start..<start + scope.count
        bytes = OctetWriter.array(capacity: start + scope.count + 1 + 2 * hash.count) { output in
            output.append(name)
            output.append(UInt8(ascii: "\n"))
            output.append(time.octets)
            output.append(UInt8(ascii: "\n"))
            output.append(scope)
            output.append(UInt8(ascii: "\n"))
            output.appendHex(hash)
        }
    }

    /// The credential scope: day, region (not in SigV4a), service and the word `aws4_request`.
    public var scope: String { String(decoding: scopeOctets, as: UTF8.self) }

    var scopeOctets: ArraySlice<UInt8> { bytes[scopeRange] }

    /// The whole text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The whole text.
    public var description: String { text }

    static func appendScope(
        _ scheme: SignatureScheme,
        at time: SigningTime,
        for profile: ServiceProfile,
        to output: inout [UInt8]
    ) {
        output.append(contentsOf: time.day)
        output.append(UInt8(ascii: "/"))
        if scheme.regionSet == nil {
            output.append(contentsOf: profile.region.utf8)
            output.append(UInt8(ascii: "/"))
        }
        output.append(contentsOf: profile.service.utf8)
        output.append(contentsOf: "/aws4_request".utf8)
    }
}
