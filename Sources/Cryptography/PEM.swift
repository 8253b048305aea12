import Encodings

/// One block of the textual encoding of RFC 7468, read strictly.
struct PEM {
    let label: String
    /// The decoded body; variable, so that a secret can be moved out of it.
    var bytes: [UInt8]

    init(label: String, bytes: [UInt8]) {
        self.label = label
        self.bytes = bytes
    }

    /// Reads a text that is one block and nothing else, but for white space after it.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidPEM`; `encryptedKey` for the header lines of the old
    ///   encrypted form.
    init(_ text: String) throws(CryptographyError) {
        try self.init(text.utf8)
    }

    /// Reads octets under the rules of ``init(_:)-(String)``.
    init(_ text: some BidirectionalCollection<UInt8>) throws(CryptographyError) {
        let blocks = try Self.all(in: text, allowingText: false)
        guard let block = blocks.first, blocks.count == 1 else {
            let labels = blocks.prefix(4).map(\.label).filter {
                $0.utf8.allSatisfy { $0 == 0x20 || (0x41...0x5A).contains($0) }
            }
            let found = labels.isEmpty ? "" : ", not several: " + labels.joined(separator: ", ")
            throw CryptographyError(.invalidPEM, "the text must hold exactly one PEM block" + found)
        }
        self = block
    }

    /// Reads every block of a text.
    ///
    /// - Parameters:
    ///   - text: The text, with lines ended by LF or CR LF.
    ///   - allowingText: Whether lines outside the blocks may hold explanations (RFC 7468, section 5.2).
    /// - Returns: The blocks in order; none for a text without.
    /// - Throws: ``CryptographyError`` with code `invalidPEM` or `encryptedKey`.
    static func all(in text: String, allowingText: Bool) throws(CryptographyError) -> [PEM] {
        try all(in: text.utf8, allowingText: allowingText)
    }

    /// Reads every block of a text that is given as octets; those of a body are not copied into a String.
    static func all(
        in text: some BidirectionalCollection<UInt8>,
        allowingText: Bool
    ) throws(CryptographyError) -> [PEM] {
        var blocks: [PEM] = []
        var label: String?
        var body: [UInt8] = []
        // The body may be a private key.
        defer { SecretBytes.clear(&body) }
        // Every octet of the text can be one of the body, so the array never moves and leaves no copy behind.
        body.reserveCapacity(text.count)
        for var line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let open = label {
                if line.elementsEqual("-----END \(open)-----".utf8) {
                    blocks.append(PEM(label: open, bytes: try decode(body)))
                    body.removeAll(keepingCapacity: true)
                    label = nil
                } else if line.contains(UInt8(ascii: ":")) {
                    throw CryptographyError(
                        .encryptedKey,
                        "PEM with header lines, as of an encrypted key, is refused"
                    )
                } else {
                    body.append(contentsOf: line)
                }
            } else if let name = opening(line) {
                label = name
            } else if !allowingText, !line.allSatisfy({ $0 == UInt8(ascii: " ") }) {
                throw CryptographyError(.invalidPEM, "there is text outside the PEM block")
            }
        }
        guard label == nil else { throw CryptographyError(.invalidPEM, "a PEM block does not end") }
        return blocks
    }

    /// The block as text, in lines of 64 characters.
    var text: String { String(decoding: octets, as: UTF8.self) }

    /// The octets of the text, in an array that never moved and so left no copy behind.
    var octets: [UInt8] {
        var characters = Base64.standard.encodeToBytes(bytes)
        defer { SecretBytes.clear(&characters) }
        var output: [UInt8] = []
        output.reserveCapacity(characters.count + characters.count / 64 + 2 * label.utf8.count + 64)
        output += "-----BEGIN \(label)-----\n".utf8
        for start in stride(from: 0, to: characters.count, by: 64) {
            output += characters[start..<min(start + 64, characters.count)]
            output.append(UInt8(ascii: "\n"))
        }
        output += "-----END \(label)-----\n".utf8
        return output
    }

    private static func opening(_ line: some Collection<UInt8>) -> String? {
        guard let text = String(validating: line, as: UTF8.self), text.hasPrefix("-----BEGIN "),
            text.hasSuffix("-----")
        else {
            return nil
        }
        let label = text.dropFirst("-----BEGIN ".count).dropLast(5)
        return label.isEmpty || label.contains("-") ? nil : String(label)
    }

    private static func decode(_ body: [UInt8]) throws(CryptographyError) -> [UInt8] {
        do throws(DecodingFault) {
            let bytes = try Base64.standard.decode(body)
            guard !bytes.isEmpty else { throw DecodingFault(.invalidLength, at: 0) }
            return bytes
        } catch {
            throw CryptographyError(.invalidPEM, "the body of a PEM block is not Base 64: \(error)")
        }
    }
}
