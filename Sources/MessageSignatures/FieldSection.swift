internal import Encodings
internal import HTTPMessages

/// The header fields or the trailer fields of a message.
enum FieldSection: Sendable {
    /// Lines as they came from a peer.
    case lines([FieldLine])
    /// The fields of one of this package's messages, which are canonical as they are: they are not copied line by line.
    case fields(HTTPFields)

    var count: Int {
        switch self {
        case .lines(let lines): lines.count
        case .fields(let fields): fields.count
        }
    }

    var lines: [FieldLine] {
        get {
            switch self {
            case .lines(let lines): lines
            case .fields(let fields): fields.array.map(FieldLine.init)
            }
        }
        _modify {
            // Taken out while they are changed: with `set`, each line that is added would copy them all.
            var lines = lines
            self = .lines([])
            defer { self = .lines(lines) }
            yield &lines
        }
    }

    /// Whether one of the two fields that signatures stand in is there.
    var holdsSignatures: Bool {
        switch self {
        case .lines(let lines):
            return lines.contains { Self.isOfSignature($0.name) }
        case .fields(let fields):
            let fields = fields.array
            return fields.indices.contains { Self.isOfSignature(fields[$0].name.canonicalName) }
        }
    }

    private static func isOfSignature(_ name: String) -> Bool {
        name == "signature-input" || name == "signature"
    }

    /// Puts the canonical values of a field at the end of some octets, with commas between them; false when there is none.
    func append(_ name: String, _ version: WireVersion, to octets: inout OctetWriter) -> Bool {
        var isThere = false
        // Most names differ in length, and to compare texts takes longer than to see that.
        let length = name.utf8.count
        switch self {
        case .lines(let lines):
            for line in lines where line.name.utf8.count == length && line.name == name {
                if isThere { octets.append(", ") }
                isThere = true
                line.appendCanonicalValue(version, to: &octets)
            }
        case .fields(let fields):
            let fields = fields.array
            for index in fields.indices {
                let other = fields[index].name.canonicalName
                guard other.utf8.count == length, other == name else { continue }
                if isThere { octets.append(", ") }
                isThere = true
                if let text = fields[index].text {
                    octets.append(text)
                } else {
                    octets.append(fields[index].bytes)
                }
            }
        }
        return isThere
    }
}
