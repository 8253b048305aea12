import Encodings
import StructuredFields
import TestVectors
import Testing

@Suite(
    "Structured fields: the working group's cases",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct ConformanceTests {
    @Test(arguments: try ConformanceCase.all())
    func conforms(_ test: ConformanceCase) throws {
        switch test.kind {
        case .item: try check(test, ExpectedValue.item)
        case .list: try check(test, ExpectedValue.list)
        case .dictionary: try check(test, ExpectedValue.dictionary)
        }
    }

    private func check<Value: StructuredField>(
        _ test: ConformanceCase,
        _ build: (JSONValue) throws -> Value
    ) throws {
        guard let raw = test.raw else { return try checkSerialization(test, build) }
        if test.mustFail {
            let error = #expect(throws: StructuredFieldError.self) { try Value(parsingLines: raw) }
            let length = raw.joined(separator: ", ").utf8.count
            #expect(error?.offset.map { (0...length).contains($0) } == true)
            return
        }
        let parsed = Result { () throws(StructuredFieldError) in try Value(parsingLines: raw) }
        if test.canFail, case .failure = parsed { return }
        let value = try parsed.get()
        #expect(value == (try build(#require(test.expected))))
        #expect(try value.serialized() == test.output)
    }

    private func checkSerialization<Value: StructuredField>(
        _ test: ConformanceCase,
        _ build: (JSONValue) throws -> Value
    ) throws {
        let expected = try #require(test.expected)
        if test.mustFail {
            #expect(throws: StructuredFieldError.self) { try build(expected).serialized() }
        } else {
            #expect(try build(expected).serialized() == test.output)
        }
    }

    @Test("Every case is there") func counts() throws {
        let cases = try ConformanceCase.all()
        #expect(cases.count == 2135)
        #expect(Dictionary(grouping: cases, by: \.file).mapValues(\.count) == ConformanceCase.files)
        let parsing = cases.filter { $0.raw != nil }
        let serializing = cases.filter { $0.raw == nil }
        #expect(parsing.count == 1591)
        #expect(parsing.count(where: \.mustFail) == 864)
        #expect(serializing.count == 544)
        #expect(serializing.count(where: \.mustFail) == 539)
        #expect(cases.filter { $0.raw?.count ?? 1 > 1 }.count == 9)
    }

    @Test("Of the cases that may fail, the two in Base 64 that is not canonical do") func mayFail() throws {
        let optional = try ConformanceCase.all().filter(\.canFail)
        #expect(optional.count == 6)
        let refused = optional.filter { (try? Item(parsingLines: $0.raw ?? [])) == nil }
        #expect(refused.map(\.name).sorted() == ["bad padding", "non-zero pad bits"])
    }
}
