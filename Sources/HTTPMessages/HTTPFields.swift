/// The fields of a message, in order; a name may stand several times.
///
/// Two lists are equal, and hash equal, when they hold equal fields in the same order.
public struct HTTPFields: Sendable, Hashable, RandomAccessCollection, CustomStringConvertible {
    private var fields: [HTTPField]

    /// The same fields as an array, which other targets read without a call for each of them.
    package var array: [HTTPField] { fields }

    /// Makes an empty list.
    public init() {
        fields = []
    }

    /// Makes a list of fields in their order.
    public init(_ fields: [HTTPField]) {
        self.fields = fields
    }

    /// The names and the lengths of the values, which are not shown.
    public var description: String { fields.map(\.description).joined(separator: ", ") }

    /// The position of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> HTTPField { fields[position] }

    /// The values of a name joined with ", " (RFC 9110, section 5.3), or nil when the name is absent.
    ///
    /// A `Set-Cookie` value may hold commas of its own; read it through ``subscript(values:)``.
    public subscript(name: HTTPField.Name) -> String? {
        guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
        var value = fields[first].value
        for field in fields[(first + 1)...] where field.name == name { value += ", " + field.value }
        return value
    }

    /// The values of a name, a field line each, in order.
    public subscript(values name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Whether a field of the name is there.
    public func contains(_ name: HTTPField.Name) -> Bool {
        fields.contains { $0.name == name }
    }

    /// Adds a field at the end, whether or not its name is there already.
    public mutating func append(_ field: consuming HTTPField) {
        fields.append(field)
    }

    /// Adds a field at the end.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidFieldValue` when a field cannot hold the value.
    public mutating func append(_ value: String, for name: HTTPField.Name) throws(HTTPMessageError) {
        fields.append(try HTTPField(name, value))
    }

    /// Replaces every field of a name by one, at the place of the first, or adds it at the end.
    ///
    /// - Throws: ``HTTPMessageError`` with code `invalidFieldValue` when a field cannot hold the value; nothing has
    ///   changed then.
    public mutating func set(_ value: String, for name: HTTPField.Name) throws(HTTPMessageError) {
        set(try HTTPField(name, value))
    }

    /// Makes room for fields that are about to be added, so that the list is copied once for all of them.
    package mutating func reserve(_ count: Int) {
        fields.reserveCapacity(fields.count + count)
    }

    /// Replaces every field of the name by this one, at the place of the first, or adds it at the end.
    public mutating func set(_ field: consuming HTTPField) {
        guard let index = fields.firstIndex(where: { $0.name == field.name }) else {
            fields.append(field)
            return
        }
        removeAll(field.name)
        fields.insert(field, at: index)
    }

    /// Removes every field of a name.
    public mutating func removeAll(_ name: HTTPField.Name) {
        fields.removeAll { $0.name == name }
    }
}

extension HTTPFields: CustomReflectable {
    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
