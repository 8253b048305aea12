import Cryptography
import FoundationEssentials

/// The content of a receipt: SET OF SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }.
struct ReceiptFields {
    private let values: [UInt8: [UInt8]]

    /// Reads the content.
    ///
    /// A field that stands twice is refused, an unknown one is left alone.
    init(_ content: [UInt8]) throws(AttestationError) {
        var outer = DERReader(content)
        guard var fields = outer.read(.set).map({ DERReader($0) }), outer.isAtEnd else {
            throw Self.malformed
        }
        var values: [UInt8: [UInt8]] = [:]
        while !fields.isAtEnd {
            guard var field = fields.read(.sequence).map({ DERReader($0) }),
                let type = field.readUnsigned(), field.readUnsigned() != nil,
                let value = field.read(.octetString), field.isAtEnd
            else { throw Self.malformed }
            // Larger numbers are of fields that are not known.
            guard type.count == 1, let number = type.first else { continue }
            guard values.updateValue(Array(value), forKey: number) == nil else { throw Self.malformed }
        }
        self.values = values
    }

    func octets(_ type: UInt8) throws(AttestationError) -> [UInt8] {
        guard let value = values[type] else { throw Self.malformed }
        return value
    }

    func optionalText(_ type: UInt8) throws(AttestationError) -> String? {
        guard let value = values[type] else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else { throw Self.malformed }
        return text
    }

    func text(_ type: UInt8) throws(AttestationError) -> String {
        guard let text = try optionalText(type) else { throw Self.malformed }
        return text
    }

    func optionalDate(_ type: UInt8) throws(AttestationError) -> Date? {
        guard let value = values[type] else { return nil }
        guard let date = ReceiptTime.date(value) else { throw Self.malformed }
        return date
    }

    func date(_ type: UInt8) throws(AttestationError) -> Date {
        guard let date = try optionalDate(type) else { throw Self.malformed }
        return date
    }

    static var malformed: AttestationError {
        AttestationError(.malformedReceipt, "the receipt does not have its fields in their form")
    }
}
