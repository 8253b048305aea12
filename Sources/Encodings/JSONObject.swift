/// A JSON object whose members keep their order; no name stands twice.
///
/// Lookup is linear: the objects of this package (token claims, keys, configuration) have a dozen members.
public struct JSONObject: Sendable, Hashable {
    /// The members in order.
    public private(set) var members: [(name: String, value: JSONValue)]

    /// Makes an empty object.
    public init() {
        members = []
    }

    /// Takes members whose names the reader has found to be different.
    init(distinct members: [(name: String, value: JSONValue)]) {
        self.members = members
    }

    /// The value of a member; setting nil removes it, setting a new name appends it.
    public subscript(name: String) -> JSONValue? {
        get { members.first { Self.isSame($0.name, name) }?.value }
        set {
            let index = members.firstIndex { Self.isSame($0.name, name) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// Swift takes texts as equal that merely look so, such as K and the sign for kelvin; a name is its code points.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether both objects hold the same members; their order does not count.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.count == right.members.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// Feeds the names in sorted order, so that equal objects hash equal.
    public func hash(into hasher: inout Hasher) {
        for name in members.map(\.name).sorted() { hasher.combine(name) }
    }
}
