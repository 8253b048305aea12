import Cryptography
import Encodings
import FoundationEssentials

/// The parts of a `multipart/form-data` content (RFC 7578), in their order.
///
/// The content is put together in memory, so that it can be sent again and so that its boundary is known to stand in no
/// part. A single large file goes better as a content of its own.
public struct MultipartForm: Sendable, CustomStringConvertible, CustomReflectable {
    private struct Part: Sendable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: Content
    }

    private enum Content: Sendable {
        case bytes([UInt8])
        case file(String)
    }

    /// The most octets that all parts may have together.
    public var maximumSize: Int
    private var parts: [Part] = []

    /// Makes a form without parts.
    public init(maximumSize: Int = 64 << 20) {
        self.maximumSize = maximumSize
    }

    /// Adds a field of text, in UTF-8.
    public mutating func append(_ text: String, name: String) {
        parts.append(Part(name: name, content: .bytes(Array(text.utf8))))
    }

    /// Adds octets, with the name and the media type of a file when they shall look like one.
    public mutating func append(
        _ bytes: [UInt8],
        name: String,
        fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) {
        parts.append(Part(name: name, fileName: fileName, contentType: contentType, content: .bytes(bytes)))
    }

    /// Adds a file, which is read when the call is made; its name goes along unless another is given.
    public mutating func append(
        file path: String,
        name: String,
        fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) {
        let own = path.split(separator: "/").last.map(String.init) ?? path
        parts.append(
            Part(name: name, fileName: fileName ?? own, contentType: contentType, content: .file(path))
        )
    }

    /// How many parts there are.
    public var description: String { "form of \(parts.count) parts" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The content and its boundary.
    ///
    /// - Throws: ``APIError`` with code `encoding` when a file cannot be read, the parts are too large, a name is empty or
    ///   holds NUL, or a media type cannot stand in a header.
    func encode() throws(APIError) -> (bytes: [UInt8], boundary: String) {
        var size = 0
        var sections: [(head: String, content: [UInt8])] = []
        for part in parts {
            let content = try octets(of: part, upTo: maximumSize - size)
            size += content.count
            sections.append((try head(of: part), content))
        }
        let boundary = try boundary(outside: sections)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + sections.count * 256)
        for section in sections {
            bytes += "--\(boundary)\r\n\(section.head)\r\n\r\n".utf8
            bytes += section.content
            bytes += "\r\n".utf8
        }
        bytes += "--\(boundary)--\r\n".utf8
        return (bytes, boundary)
    }

    private func octets(of part: Part, upTo limit: Int) throws(APIError) -> [UInt8] {
        let bytes: [UInt8]
        switch part.content {
        case .bytes(let octets): bytes = octets
        case .file(let path):
            guard limit >= 0, let octets = try FileOctets.read(path, upTo: limit) else {
                throw APIError(.encoding, "the parts are larger than \(maximumSize) octets")
            }
            bytes = octets
        }
        guard bytes.count <= limit else {
            throw APIError(.encoding, "the parts are larger than \(maximumSize) octets")
        }
        return bytes
    }

    private func head(of part: Part) throws(APIError) -> String {
        guard !part.name.isEmpty else { throw APIError(.encoding, "a part has no name") }
        var head = "Content-Disposition: form-data; name=\"\(try Self.escaped(part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(try Self.escaped(fileName))\"" }
        if let type = part.contentType {
            guard !type.isEmpty, type.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw APIError(.encoding, "the media type of a part cannot stand in a header")
            }
            head += "\r\nContent-Type: \(type)"
        }
        return head
    }

    /// Escapes what browsers escape in a name (HTML Standard, section 4.10.21.8), so that it cannot end its header.
    private static func escaped(_ name: String) throws(APIError) -> String {
        var output: [UInt8] = []
        for octet in name.utf8 {
            switch octet {
            case UInt8(ascii: "\""): output += "%22".utf8
            case UInt8(ascii: "\r"): output += "%0D".utf8
            case UInt8(ascii: "\n"): output += "%0A".utf8
            case 0..<0x20, 0x7F: throw APIError(.encoding, "the name of a part holds a control character")
            default: output.append(octet)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func boundary(outside sections: [(head: String, content: [UInt8])]) throws(APIError) -> String {
        while true {
            let random: [UInt8]
            do throws(CryptographyError) { random = try RandomBytes.generate(count: 24) } catch {
                throw APIError(.encoding, "there are no random octets", underlying: error)
            }
            let boundary = "form-" + Hex.encode(random)
            let isUsed = sections.contains {
                Self.contains(boundary, in: $0.content) || $0.head.contains(boundary)
            }
            if !isUsed { return boundary }
        }
    }

    private static func contains(_ text: String, in octets: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        guard octets.count >= wanted.count else { return false }
        return (0...octets.count - wanted.count).contains { start in
            octets[start] == wanted[0] && octets[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}
