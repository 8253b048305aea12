import HTTPMessages
import MessageSignatures

/// Sees to the `Content-Digest` of a request that is to be signed (RFC 9530).
///
/// The digest stands in the header, so all of the content must be read before the first octet is sent: a file is read
/// twice, and a stream is taken into memory, up to a limit. A digest in the trailers would spare that, but most servers
/// and intermediaries drop trailers, and a body that nobody can verify is the worse choice.
struct ContentDigest {
    let factory: SignatureParametersFactory

    /// Replaces a stream that is to be digested by its octets.
    ///
    /// - Throws: ``ProtectionError`` for a stream that fails, is longer than the limit or not as long as it says,
    ///   `CancellationError`.
    func takeIntoMemory(_ request: inout HTTPRequest) async throws {
        guard concerns(request), case .stream(let stream) = request.body?.content else { return }
        request.body = HTTPBody(try await collect(stream))
    }

    /// Adds the digest, or checks the one that is there; the content is not a stream.
    ///
    /// - Throws: `SignatureError` for a digest of other content, or none that is as strong as the factory's,
    ///   ``ProtectionError`` for a file that cannot be read.
    func apply(to request: inout HTTPRequest) throws {
        guard concerns(request) else { return }
        let carriesDigest = request.fields.contains(.contentDigest)
        let accumulator = try Self.accumulator(
            of: request,
            carriesDigest ? Set(DigestAlgorithm.allCases) : [factory.contentDigestAlgorithm]
        )
        guard !carriesDigest else {
            let lines = request.fields[values: .contentDigest].joined(separator: ", ")
            let field = try DigestField(parsing: Array(lines.utf8), limits: factory.limits)
            // Of one that is not covered nothing is promised but that it is not wrong.
            let minimum = factory.bodyDigest == .none ? .sha256 : factory.digestAlgorithm
            guard field.digests.keys.contains(where: { $0 >= minimum }) else {
                throw SignatureError(
                    .noSupportedDigestAlgorithm,
                    "the request has a Content-Digest, and none as strong as \(minimum.rawValue)"
                )
            }
            return try accumulator.check(field, minimum: minimum)
        }
        try request.fields.set(try accumulator.finish().serialized, for: .contentDigest)
    }

    private func concerns(_ request: HTTPRequest) -> Bool {
        switch factory.bodyDigest {
        case _ where request.fields.contains(.contentDigest): true
        case .none: false
        case .ifPresent: request.body != nil
        case .required: true
        }
    }

    private func collect(_ stream: HTTPBodyStream) async throws -> [UInt8] {
        if let count = stream.count, count > factory.maximumStreamLength { throw tooLong }
        let collected: [UInt8]?
        do {
            collected = try await stream.collect(upTo: factory.maximumStreamLength)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw ProtectionError(
                .permanent,
                "the stream of the content cannot be read to be signed",
                underlying: error
            )
        }
        guard let bytes = collected else { throw tooLong }
        guard bytes.count == stream.count ?? bytes.count else {
            throw ProtectionError(.permanent, "the stream of the content is not as long as it says")
        }
        return bytes
    }

    private var tooLong: ProtectionError {
        ProtectionError(
            .permanent,
            "the stream is longer than what is taken into memory to be signed, \(factory.maximumStreamLength) octets"
        )
    }

    private static func accumulator(
        of request: HTTPRequest,
        _ algorithms: Set<DigestAlgorithm>
    ) throws -> DigestAccumulator {
        var accumulator = try DigestAccumulator.start(using: algorithms)
        switch request.body?.content {
        case nil, .stream: break
        case .bytes(let bytes): try accumulator.update(bytes)
        case .file(let path):
            do {
                let file = try ContentFile(path)
                while let piece = try file.read(upTo: 256 << 10) {
                    try Task.checkCancellation()
                    try accumulator.update(piece)
                }
            } catch is ContentFile.Fault { throw unreadable }
        }
        return accumulator
    }

    private static var unreadable: ProtectionError {
        ProtectionError(.permanent, "the file of the content cannot be read to be signed")
    }
}
