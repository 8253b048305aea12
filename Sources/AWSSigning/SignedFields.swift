internal import Encodings
internal import HTTPMessages

/// The fields that a signature covers, sorted by their names in lower case.
///
/// The fields stay where they are; what is sorted is their places, so that no text is copied or counted.
struct SignedFields {
    /// One line of the canonical request.
    private struct Entry {
        /// The place among the fields, or nil for the host, which is no field of the request.
        let index: Int?
        /// The first eight octets of the name as a number: they alone put almost any two names in order.
        let prefix: UInt64
        /// Whether the value is its own canonical form.
        let isPlain: Bool
    }

    private static let hostName = "host"

    private let host: String
    private let fields: [HTTPField]
    private var entries: [Entry] = []
    /// How many octets the names and the values have together, each with the octet that ends it.
    private(set) var lengths: (names: Int, values: Int) = (0, 0)

    /// Chooses and sorts the fields.
    ///
    /// - Parameters:
    ///   - fields: The fields of the request, without those of an earlier signature.
    ///   - added: The places of those that the signature adds; no rule of the service leaves them out but that for the
    ///     session token.
    ///   - host: The host, which is always signed.
    ///   - profile: The rules of the service.
    /// - Throws: ``AWSSigningError`` with code `invalidField` for a value that is not ASCII.
    init(
        _ fields: [HTTPField],
        ofSignature added: Range<Int>,
        host: String,
        under profile: borrowing ServiceProfile
    ) throws(AWSSigningError) {
        self.host = host
        self.fields = fields
        entries.reserveCapacity(fields.count + 1)
        insert(nil, named: Self.hostName, isPlain: true)
        lengths.values = host.utf8.count + 1
        let perHop = FieldRules.perHop(fields)
        for index in fields.indices {
            let name = fields[index].name.canonicalName
            if added.contains(index) {
                guard profile.signsSessionToken || name != "x-amz-security-token" else { continue }
            } else {
                guard name != Self.hostName, !FieldRules.isNeverSigned(name),
                    perHop.isEmpty || !perHop.contains(name),
                    profile.unsignedFields.isEmpty || !profile.unsignedFields.contains(fields[index].name)
                else { continue }
            }
            let value = fields[index].value
            // What the signature adds is made of visible characters.
            let isPlain = if added.contains(index) { true } else { try Self.isPlain(value, of: name) }
            insert(index, named: name, isPlain: isPlain)
            lengths.values += value.utf8.count + 1
        }
    }

    /// Appends a line for each name.
    func append(to output: inout OctetWriter) {
        for position in entries.indices {
            if isRepeated(position) {
                // Several lines of one name are one value.
                output.replaceLast(by: UInt8(ascii: ","))
            } else {
                output.append(name(at: position))
                output.append(UInt8(ascii: ":"))
            }
            let entry = entries[position]
            let value = entry.index.map { fields[$0].value } ?? host
            if entry.isPlain { output.append(value) } else { Self.appendFolded(value, to: &output) }
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Appends the names, joined with `;`.
    func appendNames(to output: inout OctetWriter) {
        for position in entries.indices where !isRepeated(position) {
            if position > 0 { output.append(UInt8(ascii: ";")) }
            output.append(name(at: position))
        }
    }

    private func name(at position: Int) -> String {
        entries[position].index.map { fields[$0].name.canonicalName } ?? Self.hostName
    }

    private func isRepeated(_ position: Int) -> Bool {
        position > 0 && entries[position].prefix == entries[position - 1].prefix
            && name(at: position) == name(at: position - 1)
    }

    /// Insertion keeps lines of one name in their order, and requests have a dozen fields.
    private mutating func insert(_ index: Int?, named name: String, isPlain: Bool) {
        let prefix = Self.prefix(of: name)
        var position = entries.count
        entries.append(Entry(index: index, prefix: prefix, isPlain: isPlain))
        while position > 0 {
            let before = entries[position - 1].prefix
            guard prefix < before || prefix == before && name < self.name(at: position - 1) else { break }
            entries.swapAt(position, position - 1)
            position -= 1
        }
        lengths.names += name.utf8.count + 1
    }

    private static func prefix(of name: String) -> UInt64 {
        let octets = name.utf8.span
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | UInt64(index < octets.count ? octets[index] : 0) }
        return prefix
    }

    /// Whether a value has no run of blanks and no tab.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidField` for a value that is not ASCII.
    private static func isPlain(_ value: String, of name: String) throws(AWSSigningError) -> Bool {
        let octets = value.utf8.span
        var all: UInt8 = 0
        var blanks: UInt8 = 0
        // A loop without branches takes many octets at a time, and few values have a blank.
        for index in octets.indices {
            let octet = octets[index]
            all |= octet
            blanks |= (octet == 0x09 ? 1 : 0) | (octet == 0x20 ? 1 : 0)
        }
        guard all < 0x80 else { throw AWSSigningError(.invalidField, "the value of \(name) is not ASCII") }
        guard blanks != 0 else { return true }
        var wasBlank = false
        for index in octets.indices {
            guard octets[index] != 0x09, !wasBlank || octets[index] != 0x20 else { return false }
            wasBlank = octets[index] == 0x20
        }
        return true
    }

    /// Appends a value with each run of blanks as one.
    private static func appendFolded(_ value: String, to output: inout OctetWriter) {
        let octets = value.utf8.span
        var wasBlank = false
        for index in octets.indices {
            let isBlank = octets[index] == 0x20 || octets[index] == 0x09
            if !isBlank || !wasBlank { output.append(isBlank ? 0x20 : octets[index]) }
            wasBlank = isBlank
        }
    }
}
