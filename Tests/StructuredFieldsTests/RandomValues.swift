import StructuredFields
import TestSupport

/// Makes random values that have a form.
struct RandomValues {
    private var generator: SeededGenerator
    /// The dates, where not all are to be made.
    var dates: ClosedRange<Int64>?
    /// The characters of display strings.
    var displayed = "\0\n\"%\\ aé\u{301}\u{FEFF}漢🙂\u{10FFFF}"

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func text(of alphabet: String, _ length: ClosedRange<Int>) -> String {
        let characters = Array(alphabet.unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<number(length) { text.append(characters[number(0...characters.count - 1)]) }
        return String(text)
    }

    mutating func key() -> String {
        text(of: "abz*", 1...1) + text(of: "az09_-.*", 0...3)
    }

    private mutating func integer() -> Int64 {
        switch number(0...4) {
        case 0: BareItem.integerRange.lowerBound
        case 1: BareItem.integerRange.upperBound
        case 2: Int64(number(-9...9))
        default: Int64.random(in: BareItem.integerRange, using: &generator)
        }
    }

    mutating func bareItem() throws -> BareItem {
        switch number(0...7) {
        case 0: .integer(integer())
        case 1: .decimal(try DecimalNumber(thousandths: integer()))
        case 2: .string(text(of: #" !"\az09~%:;,=()"#, 0...20))
        case 3: .token(try Token(text(of: "aZ*", 1...1) + text(of: "aZ0!#$%&'*+-.^_`|~:/", 0...20)))
        case 4: .bytes((0..<number(0...20)).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 5: .boolean(number(0...1) == 1)
        case 6: .date(dates.map { Int64.random(in: $0, using: &generator) } ?? integer())
        default: .displayString(text(of: displayed, 0...10))
        }
    }

    mutating func parameters() throws -> Parameters {
        var parameters = Parameters()
        for _ in 0..<max(0, number(-3...(number(0...20) == 0 ? 40 : 3))) {
            parameters[key()] = try bareItem()
        }
        return parameters
    }

    mutating func item() throws -> Item { Item(try bareItem(), parameters: try parameters()) }

    private mutating func member() throws -> Member {
        guard number(0...2) == 0 else { return .item(try item()) }
        var items: [Item] = []
        for _ in 0..<number(0...4) { items.append(try item()) }
        return .innerList(InnerList(items, parameters: try parameters()))
    }

    mutating func list() throws -> FieldList {
        var list: FieldList = []
        for _ in 0..<number(0...6) { list.members.append(try member()) }
        return list
    }

    mutating func dictionary() throws -> FieldDictionary {
        var dictionary = FieldDictionary()
        for _ in 0..<number(0...20) { dictionary[key()] = try member() }
        return dictionary
    }

    /// Text that comes near to a field, and is one now and then.
    mutating func nearlyField() -> String {
        let parts = [
            "a", "b=", "c;", "*", "1", "-", ".", "0.5", "\"", "\\", "\"x\"", ":", ":aGk=:", "?", "?1", "@",
            "@1", "%\"", "%c3%bc",
            "%\"é\"", "(", ")", " ", "  ", "\t", ",", ", ", ";", ";a", ";a=", "=", "=1", "é", "\0",
        ]
        return (0..<number(1...10)).map { _ in parts[number(0...parts.count - 1)] }.joined()
    }
}
