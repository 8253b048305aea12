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
        let blocks = try Self.all(in: text, allowingText: false)
        guard let block = blocks.first, blocks.count == 1 else {
            throw CryptographyError(.invalidPEM, "the text must hold exactly one PEM block")
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
        var blocks: [PEM] = []
        var label: String?
        var body: [UInt8] = []
        // The body may be a private key.
        defer { SecretBytes.clear(&body) }
        // Every octet of the text can be one of the body, so the array never moves and leaves no copy behind.
        body.reserveCapacity(text.utf8.count)
        for var line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
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
    var text: String {
        var characters = Base64.standard.encodeToBytes(bytes)[...]
        var output = "-----BEGIN \(label)-----\n"
        while !characters.isEmpty {
            output += String(decoding: characters.prefix(64), as: UTF8.self) + "\n"
            characters = characters.dropFirst(64)
        }
        return output + "-----END \(label)-----\n"
    }

    private static func opening(_ line: Substring.UTF8View) -> String? {
        guard let text = String(line), text.hasPrefix("-----BEGIN "), text.hasSuffix("-----") else {
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
