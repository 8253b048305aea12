/// Writes CBOR in its one deterministic form (RFC 8949, section 4.2.1), which ``CBORReader`` takes.
///
/// Lengths are definite, numbers are as short as they can be, and the members of a map stand in the order of their keys'
/// octets, which is the order of App Attest's own objects too.
package enum CBORWriter {
    /// The octets of an item.
    package static func encode(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + text.utf8
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(encode)
        case .map(let members): head(5, UInt64(members.count)) + sorted(members)
        case .tagged(let tag, let value): head(6, tag) + encode(value)
        case .simple(let number): number < 24 ? [0xE0 | number] : [0xF8, number]
        case .bool(let value): [value ? 0xF5 : 0xF4]
        case .null: [0xF6]
        case .undefined: [0xF7]
        case .float(let number): float(number)
        }
    }

    /// A map with text keys.
    package static func map(_ members: KeyValuePairs<String, CBORValue>) -> CBORValue {
        .map(members.map { CBORMember(.text($0.key), $0.value) })
    }

    /// A number in as many octets as asked for, the most significant first.
    package static func bigEndian(_ number: UInt64, width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - 1 - $0))) }
    }

    private static func sorted(_ members: [CBORMember]) -> [UInt8] {
        members.map { (key: encode($0.key), value: encode($0.value)) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .flatMap { $0.key + $0.value }
    }

    private static func head(_ type: UInt8, _ number: UInt64) -> [UInt8] {
        switch number {
        case 0..<24: [type << 5 | UInt8(number)]
        case 24...0xFF: [type << 5 | 24] + bigEndian(number, width: 1)
        case 0x100...0xFFFF: [type << 5 | 25] + bigEndian(number, width: 2)
        case 0x1_0000...0xFFFF_FFFF: [type << 5 | 26] + bigEndian(number, width: 4)
        default: [type << 5 | 27] + bigEndian(number, width: 8)
        }
    }

    private static func float(_ number: Double) -> [UInt8] {
        if number.isNaN { return [0xF9, 0x7E, 0x00] }
        if Double(Float16(number)) == number {
            return [0xF9] + bigEndian(UInt64(Float16(number).bitPattern), width: 2)
        }
        if Double(Float(number)) == number {
            return [0xFA] + bigEndian(UInt64(Float(number).bitPattern), width: 4)
        }
        return [0xFB] + bigEndian(number.bitPattern, width: 8)
    }
}
