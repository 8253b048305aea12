internal import Encodings
internal import StructuredFields

/// The fields of one section of a message, found by name and each parsed once at most.
///
/// Without it a signature over ten thousand members of one dictionary would parse that ten thousand times.
struct FieldIndex {
    private let fields: [FieldLine]
    /// The places of each name's lines; nil while the fields are few.
    private var places: [String: [Int]]?
    private var dictionaries: [String: FieldDictionary] = [:]
    private let version: WireVersion

    /// So many fields are walked along, which is quicker than a hash of their names.
    private static let fewFields = 16

    init(_ fields: [FieldLine], version: WireVersion) {
        self.fields = fields
        self.version = version
        guard fields.count > Self.fewFields else { return }
        var places: [String: [Int]] = [:]
        for (place, field) in fields.enumerated() { places[field.name, default: []].append(place) }
        self.places = places
    }

    private func lines(_ name: String) -> [FieldLine] {
        guard let places else { return fields.filter { $0.name == name } }
        return places[name]?.map { fields[$0] } ?? []
    }

    /// Whether a component is anything but the lines of a field as they are, among few.
    static func isNeeded(
        for component: ComponentIdentifier,
        in section: FieldSection,
        _ version: WireVersion
    ) -> Bool {
        !component.isWhole || section.count > fewFields || isCrumbled(component, version)
    }

    /// Whether the lines are parts of one line of HTTP/1.1 (RFC 9113, section 8.2.3).
    private static func isCrumbled(_ component: ComponentIdentifier, _ version: WireVersion) -> Bool {
        version == .http2 && component.name == "cookie"
    }

    static func missing(_ component: ComponentIdentifier) -> SignatureError {
        component.isInTrailers
            ? component.fault(.trailerMissing, "the message has no such trailer")
            : component.fault(.fieldMissing, "the message has no such field")
    }

    /// The value of a component that an index is needed for.
    mutating func value(
        of component: ComponentIdentifier,
        types: FieldTypes,
        limits: SignatureLimits
    ) throws(SignatureError) -> [UInt8] {
        if let key = component.key {
            return try member(key, of: component, types: types, limits: limits)
        }
        var values = try canonicalValues(of: component)
        // One value first, whatever is made of it then.
        if Self.isCrumbled(component, version) { values = [values.joined(with: "; ")] }
        if component.parameters["bs"] != nil {
            return Array(values.map { ":\(Base64.standard.encode($0)):" }.joined(separator: ", ").utf8)
        }
        let joined = values.joined(with: ", ")
        guard component.parameters["sf"] != nil else { return joined }
        guard let kind = types[component.name] else {
            throw component.fault(.structuredTypeUnknown, "the field is of no known structured type")
        }
        do throws(StructuredFieldError) {
            return Array(try Self.reserialized(joined, as: kind, limits.parser()).utf8)
        } catch {
            throw SignatureError(
                error.isLimit ? .limitExceeded : .malformedStructuredField,
                "the field does not parse as its structured type",
                component: component.serialized,
                underlying: error
            )
        }
    }

    private static func reserialized(
        _ octets: [UInt8],
        as kind: FieldTypes.Kind,
        _ parser: StructuredFieldParser
    ) throws(StructuredFieldError) -> String {
        switch kind {
        case .item: try parser.parseItem(octets).serialized()
        case .list: try parser.parseList(octets).serialized()
        case .dictionary: try parser.parseDictionary(octets).serialized()
        }
    }

    private mutating func member(
        _ key: String,
        of component: ComponentIdentifier,
        types: FieldTypes,
        limits: SignatureLimits
    ) throws(SignatureError) -> [UInt8] {
        let dictionary: FieldDictionary
        if let parsed = dictionaries[component.name] {
            dictionary = parsed
        } else {
            let values = try canonicalValues(of: component)
            guard types[component.name] == .dictionary else {
                throw component.fault(.notADictionary, "the field is not known as a dictionary")
            }
            do throws(StructuredFieldError) {
                dictionary = try limits.parser().parseDictionary(values.joined(with: ", "))
            } catch {
                throw SignatureError(
                    error.isLimit ? .limitExceeded : .notADictionary,
                    "the field does not parse as a dictionary",
                    component: component.serialized,
                    underlying: error
                )
            }
            dictionaries[component.name] = dictionary
        }
        guard let member = dictionary[key] else {
            throw component.fault(.dictionaryKeyMissing, "the dictionary has no such member")
        }
        do throws(StructuredFieldError) {
            return Array(try member.serialized().utf8)
        } catch {
            throw SignatureError(
                .malformedStructuredField,
                "the member has no form",
                component: component.serialized,
                underlying: error
            )
        }
    }

    /// The values of a field, a line each, without anything that HTTP cannot carry.
    private func canonicalValues(of component: ComponentIdentifier) throws(SignatureError) -> [[UInt8]] {
        let lines = lines(component.name)
        guard !lines.isEmpty else { throw Self.missing(component) }
        let values = lines.map { $0.canonicalValue(version) }
        for value in values where value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            throw component.fault(
                .newlineOrControlInValue,
                "the field holds a line break or another control character"
            )
        }
        return values
    }
}

extension [[UInt8]] {
    /// The values in one, with a text between them.
    package func joined(with separator: String) -> [UInt8] {
        guard var joined = first, count > 1 else { return first ?? [] }
        for value in dropFirst() {
            joined += separator.utf8
            joined += value
        }
        return joined
    }
}
