/// An element of a small XML document, as AWS answers with.
struct XMLElement: Sendable {
    /// The name as it is written, with its prefix.
    var name: String
    /// The character data of the element itself.
    var text = ""
    /// The elements inside.
    var children: [XMLElement] = []

    init(name: String) {
        self.name = name
    }

    /// Reads a whole document.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidResponse` for what is not the XML that ``XMLReader`` takes.
    init(_ octets: [UInt8]) throws(AWSSigningError) {
        var reader = XMLReader(octets)
        self = try reader.readDocument()
    }

    /// The one child of a name; nil when there is none, or more than one.
    func child(_ name: String) -> XMLElement? {
        let matches = children.filter { $0.name == name }
        return matches.count == 1 ? matches[0] : nil
    }

    /// The first element of a name, in document order.
    func first(_ name: String) -> XMLElement? {
        if self.name == name { return self }
        for child in children {
            if let match = child.first(name) { return match }
        }
        return nil
    }
}
