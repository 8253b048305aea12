import StructuredFields
import Testing

@Suite("Structured fields: keys in order") struct OrderTests {
    @Test("Keys keep their first place through changes, few of them or many", arguments: [0, 1, 16, 17, 40])
    func places(_ count: Int) {
        var parameters = Parameters()
        let keys = (0..<count).map { "k\($0)" }
        for (value, key) in keys.enumerated() { parameters[key] = .integer(Int64(value)) }
        for key in keys { parameters[key] = true }
        #expect(parameters.map(\.key) == keys)
        #expect(parameters.allSatisfy { $0.value == true })
        #expect(keys.allSatisfy { parameters[$0] == true })
        #expect(parameters["other"] == nil)
    }

    @Test("A key that is taken away leaves the others in order", arguments: [2, 17, 18, 40])
    func removal(_ count: Int) {
        var dictionary = FieldDictionary()
        for number in 0..<count { dictionary["k\(number)"] = .item(Item(.integer(Int64(number)))) }
        dictionary["k0"] = nil
        dictionary["absent"] = nil
        #expect(dictionary["k0"] == nil)
        #expect(dictionary.map(\.key) == (1..<count).map { "k\($0)" })
        for number in 1..<count { #expect(dictionary["k\(number)"] == .item(Item(.integer(Int64(number))))) }
        dictionary["k0"] = .item(Item(0))
        #expect(dictionary.last?.key == "k0")
        #expect(dictionary.last?.member == .item(Item(0)))
    }

    @Test("Order counts in a comparison, and equal values hash alike") func equality() {
        let first: Parameters = ["a": 1, "b": 2]
        let second: Parameters = ["b": 2, "a": 1]
        var third = second
        third["b"] = nil
        third["b"] = 2
        #expect(first != second)
        #expect(first == third)
        #expect(first.hashValue == third.hashValue)
    }
}
