/// Reads one field value by the algorithms of section 4.2 of RFC 9651, front to back, each octet once.
struct FieldReader {
    let octets: [UInt8]
    var offset = 0

    private let maximumMembers: Int
    private let rejectsDuplicates: Bool
    private var members = 0

    init(_ octets: [UInt8], parser: StructuredFieldParser) throws(StructuredFieldError) {
        guard octets.count <= parser.maximumLength else {
            throw StructuredFieldError(.tooLong, at: parser.maximumLength)
        }
        self.octets = octets
        maximumMembers = parser.maximumMembers
        rejectsDuplicates = parser.duplicateKeys == .reject
    }

    // MARK: - Whole fields

    mutating func readWholeItem() throws(StructuredFieldError) -> Item {
        skipSpaces()
        try countMember()
        let item = try readItem()
        skipSpaces()
        guard next == nil else { throw fault(.trailingData) }
        return item
    }

    mutating func readWholeList() throws(StructuredFieldError) -> FieldList {
        var list: FieldList = []
        skipSpaces()
        var isMore = next != nil
        while isMore {
            try countMember()
            list.members.append(try readMember())
            isMore = try readComma()
        }
        return list
    }

    mutating func readWholeDictionary() throws(StructuredFieldError) -> FieldDictionary {
        var dictionary = FieldDictionary()
        skipSpaces()
        var isMore = next != nil
        while isMore {
            try countMember()
            let start = offset
            let key = try readKey()
            let member =
                if take(UInt8(ascii: "=")) {
                    try readMember()
                } else {
                    Member.item(Item(.boolean(true), parameters: try readParameters()))
                }
            try checkDuplicate(dictionary.set(member, for: key), at: start)
            isMore = try readComma()
        }
        return dictionary
    }

    /// Reads the comma between two members and the white space around it; false at the end of the input.
    private mutating func readComma() throws(StructuredFieldError) -> Bool {
        skipWhitespace()
        guard next != nil else { return false }
        let comma = offset
        guard take(UInt8(ascii: ",")) else { throw fault(.missingComma) }
        skipWhitespace()
        guard next != nil else { throw StructuredFieldError(.trailingComma, at: comma) }
        return true
    }

    // MARK: - Parts

    private mutating func readMember() throws(StructuredFieldError) -> Member {
        next == UInt8(ascii: "(") ? .innerList(try readInnerList()) : .item(try readItem())
    }

    private mutating func readInnerList() throws(StructuredFieldError) -> InnerList {
        offset += 1
        var items: [Item] = []
        skipSpaces()
        while !take(UInt8(ascii: ")")) {
            try countMember()
            if items.isEmpty { items.reserveCapacity(4) }
            items.append(try readItem())
            guard let octet = next else { throw fault(.unexpectedEnd) }
            guard octet == UInt8(ascii: " ") || octet == UInt8(ascii: ")") else {
                throw fault(.invalidInnerList)
            }
            skipSpaces()
        }
        return InnerList(items, parameters: try readParameters())
    }

    private mutating func readItem() throws(StructuredFieldError) -> Item {
        let value = try readBareItem()
        return Item(value, parameters: try readParameters())
    }

    private mutating func readParameters() throws(StructuredFieldError) -> Parameters {
        var parameters = Parameters()
        while take(UInt8(ascii: ";")) {
            skipSpaces()
            try countMember()
            let start = offset
            let key = try readKey()
            let value = take(UInt8(ascii: "=")) ? try readBareItem() : .boolean(true)
            try checkDuplicate(parameters.set(value, for: key), at: start)
        }
        return parameters
    }

    private mutating func readKey() throws(StructuredFieldError) -> String {
        guard let first = next else { throw fault(.unexpectedEnd) }
        guard Grammar.startsKey(first) else { throw fault(.invalidKey) }
        let start = offset
        offset += 1
        while let octet = next, Grammar.continuesKey(octet) { offset += 1 }
        return text(from: start)
    }

    private mutating func countMember() throws(StructuredFieldError) {
        guard members < maximumMembers else { throw fault(.tooManyMembers) }
        members += 1
    }

    private func checkDuplicate(_ stood: Bool, at start: Int) throws(StructuredFieldError) {
        if stood, rejectsDuplicates { throw StructuredFieldError(.duplicateKey, at: start) }
    }

    // MARK: - Octets

    var next: UInt8? { offset < octets.count ? octets[offset] : nil }

    /// Takes the octet if it comes next.
    mutating func take(_ octet: UInt8) -> Bool {
        guard next == octet else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") { offset += 1 }
    }

    /// Skips spaces and tabs, which only the comma between members may have around it.
    private mutating func skipWhitespace() {
        while let octet = next, octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") { offset += 1 }
    }

    /// The text from an offset up to where the reader stands, all of it ASCII.
    func text(from start: Int) -> String { String(decoding: octets[start..<offset], as: UTF8.self) }

    func fault(_ code: StructuredFieldError.Code) -> StructuredFieldError {
        StructuredFieldError(code, at: offset)
    }
}
