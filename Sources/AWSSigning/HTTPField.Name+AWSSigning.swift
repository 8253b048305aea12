internal import HTTPMessages

/// The fields that a signature sets, made once: a name from a literal is checked each time it is written.
extension HTTPField.Name {
    static let amzDate: HTTPField.Name = "X-Amz-Date"
    static let amzSecurityToken: HTTPField.Name = "X-Amz-Security-Token"
    static let amzRegionSet: HTTPField.Name = "X-Amz-Region-Set"
    static let amzContentHash: HTTPField.Name = "x-amz-content-sha256"
    static let amzDecodedLength: HTTPField.Name = "X-Amz-Decoded-Content-Length"
    static let amzTrailer: HTTPField.Name = "X-Amz-Trailer"
    static let contentEncoding: HTTPField.Name = "Content-Encoding"
}
