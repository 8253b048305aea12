internal import Encodings

/// Serialises by the algorithms of section 4.1 of RFC 9651.
extension OctetWriter {
    mutating func write(_ list: FieldList) throws(StructuredFieldError) {
        for (position, member) in list.members.enumerated() {
            if position > 0 { append(", ") }
            try write(member)
        }
    }

    mutating func write(_ dictionary: FieldDictionary) throws(StructuredFieldError) {
        for (position, (key, member)) in dictionary.enumerated() {
            if position > 0 { append(", ") }
            try writeKey(key)
            if case .item(let item) = member, item.bareItem == .boolean(true) {
                try write(item.parameters)
            } else {
                append(UInt8(ascii: "="))
                try write(member)
            }
        }
    }

    mutating func write(_ member: Member) throws(StructuredFieldError) {
        switch member {
        case .item(let item): try write(item)
        case .innerList(let list): try write(list)
        }
    }

    mutating func write(_ list: InnerList) throws(StructuredFieldError) {
        append(UInt8(ascii: "("))
        for (position, item) in list.items.enumerated() {
            if position > 0 { append(UInt8(ascii: " ")) }
            try write(item)
        }
        append(UInt8(ascii: ")"))
        try write(list.parameters)
    }

    mutating func write(_ item: Item) throws(StructuredFieldError) {
        try write(item.bareItem)
        try write(item.parameters)
    }

    mutating func write(_ parameters: Parameters) throws(StructuredFieldError) {
        for (key, value) in parameters { try writeParameter(key, value) }
    }

    /// Writes one parameter, with its semicolon.
    package mutating func writeParameter(_ key: String, _ value: BareItem) throws(StructuredFieldError) {
        append(UInt8(ascii: ";"))
        try writeKey(key)
        if case .boolean(true) = value { return }
        append(UInt8(ascii: "="))
        try write(value)
    }

    mutating func write(_ value: BareItem) throws(StructuredFieldError) {
        switch value {
        case .integer(let number):
            try writeInteger(number)
        case .decimal(let number):
            append(number.description)
        case .string(let text):
            try writeString(text)
        case .token(let token):
            append(token.text)
        case .bytes(let bytes):
            append(UInt8(ascii: ":"))
            Base64.standard.append(bytes.span, to: &self)
            append(UInt8(ascii: ":"))
        case .boolean(let truth):
            append(truth ? "?1" : "?0")
        case .date(let seconds):
            append(UInt8(ascii: "@"))
            try writeInteger(seconds)
        case .displayString(let text):
            writeDisplayString(text)
        }
    }

    private mutating func writeKey(_ key: String) throws(StructuredFieldError) {
        guard Grammar.isKey(key) else { throw StructuredFieldError(.invalidKey) }
        append(key)
    }

    private mutating func writeInteger(_ number: Int64) throws(StructuredFieldError) {
        guard BareItem.integerRange.contains(number) else { throw StructuredFieldError(.numberOutOfRange) }
        if number < 0 { append(UInt8(ascii: "-")) }
        // From the last digit to the first. A text of the number would take longer than all of the parameters.
        var digits = InlineArray<15, UInt8>(repeating: UInt8(ascii: "0"))
        var start = digits.count
        var rest = number.magnitude
        repeat {
            start -= 1
            digits[start] += UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        append(digits.span.extracting(start...))
    }

    private mutating func writeString(_ text: String) throws(StructuredFieldError) {
        append(UInt8(ascii: "\""))
        var hasEscapes = false
        let span = text.utf8.span
        for offset in span.indices {
            guard Grammar.isPrintable(span[offset]) else { throw StructuredFieldError(.invalidString) }
            if isEscaped(span[offset]) { hasEscapes = true }
        }
        if hasEscapes {
            for octet in text.utf8 {
                if isEscaped(octet) { append(UInt8(ascii: "\\")) }
                append(octet)
            }
        } else {
            append(text)
        }
        append(UInt8(ascii: "\""))
    }

    private func isEscaped(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "\"") || octet == UInt8(ascii: "\\")
    }

    private mutating func writeDisplayString(_ text: String) {
        append("%\"")
        for octet in text.utf8 {
            if Grammar.isPrintable(octet), octet != UInt8(ascii: "%"), octet != UInt8(ascii: "\"") {
                append(octet)
            } else {
                append(UInt8(ascii: "%"))
                appendHex(CollectionOfOne(octet).span)
            }
        }
        append(UInt8(ascii: "\""))
    }
}
