extension APIError {
    /// Where a content is not what was asked for.
    public struct DecodingFailure: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The way from the outermost value to the fault: names of members, and indexes of elements as digits.
        public let path: [String]
        /// The offset of the faulty value or octet in the content, from 0; nil when it is not known.
        ///
        /// Of a member that is missing, it is the offset of the object that it is missing from. It is not known when a
        /// decoder renames members.
        public let offset: Int?
        /// The path as a log may hold it.
        private let loggablePath: String

        /// Describes a place.
        public init(path: [String] = [], offset: Int? = nil) {
            self.init(path: path, offset: offset, loggablePath: path.joined(separator: "."))
        }

        init(path: [any CodingKey], offset: Int?) {
            // The keys of a dictionary come from the content; those of a type stand in the program.
            let loggable = path.map { key in
                if let index = key.intValue { return String(index) }
                let type = String(reflecting: Swift.type(of: key))
                return ["Swift.", "Foundation"].contains(where: type.hasPrefix) ? "*" : key.stringValue
            }
            self.init(
                path: path.map { $0.intValue.map { String($0) } ?? $0.stringValue },
                offset: offset,
                loggablePath: loggable.joined(separator: ".")
            )
        }

        private init(path: [String], offset: Int?, loggablePath: String) {
            self.path = path
            self.offset = offset
            self.loggablePath = loggablePath
        }

        /// The path, without keys that come from the content, and the offset.
        public var description: String {
            let places = [
                loggablePath.isEmpty ? nil : "at \(loggablePath)", offset.map { "at octet \($0)" },
            ].compactMap(\.self)
            return places.isEmpty ? "at a place that is not known" : places.joined(separator: ", ")
        }

        /// A mirror without children, so that `dump` shows nothing.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}
