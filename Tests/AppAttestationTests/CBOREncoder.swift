import AppAttestation

/// Writes CBOR in its shortest form, to make objects and to compare.
enum CBOREncoder {
    static func encode(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
        case .text(let text): head(3, UInt64(text.utf8.count)) + text.utf8
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(encode)
        case .map(let members):
            head(5, UInt64(members.count)) + members.flatMap { encode($0.key) + encode($0.value) }
        case .tagged(let tag, let value): head(6, tag) + encode(value)
        case .simple(let number): number < 24 ? [0xE0 | number] : [0xF8, number]
        case .bool(let value): [value ? 0xF5 : 0xF4]
        case .null: [0xF6]
        case .undefined: [0xF7]
        case .float(let number): float(number)
        }
    }

    static func map(_ members: KeyValuePairs<String, CBORValue>) -> CBORValue {
        .map(members.map { CBORMember(.text($0.key), $0.value) })
    }

    static func bigEndian(_ number: UInt64, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (width - 1 - $0))) }
    }

    private static func head(_ type: UInt8, _ number: UInt64) -> [UInt8] {
        switch number {
        case 0..<24: [type << 5 | UInt8(number)]
        case 24...0xFF: [type << 5 | 24] + bigEndian(number, 1)
        case 0x100...0xFFFF: [type << 5 | 25] + bigEndian(number, 2)
        case 0x1_0000...0xFFFF_FFFF: [type << 5 | 26] + bigEndian(number, 4)
        default: [type << 5 | 27] + bigEndian(number, 8)
        }
    }

    private static func float(_ number: Double) -> [UInt8] {
        if number.isNaN { return [0xF9, 0x7E, 0x00] }
        if Double(Float16(number)) == number {
            return [0xF9] + bigEndian(UInt64(Float16(number).bitPattern), 2)
        }
        if Double(Float(number)) == number {
            return [0xFA] + bigEndian(UInt64(Float(number).bitPattern), 4)
        }
        return [0xFB] + bigEndian(number.bitPattern, 8)
    }
}
