/// A file in AWS's dialect of INI.
///
/// `[section]` and `name = value`, comments after `#` or `;` at the start of a line or after a blank, and lines that
/// start with a blank go on with the value before them. Sections of one name are one section, and the later property of
/// a name counts.
struct ConfigurationFile: Sendable {
    /// What the sections of profiles are called in a file.
    enum Kind {
        /// `~/.aws/config`: `[profile name]`, and `[default]`.
        case configuration
        /// `~/.aws/credentials`: `[name]`.
        case credentials
    }

    /// The properties of each profile, under names in lower case.
    private(set) var profiles: [String: [String: String]] = [:]

    init() {}

    /// - Throws: ``AWSSigningError`` with code `invalidConfiguration` and the number of the line at fault.
    init(_ octets: [UInt8], kind: Kind) throws(AWSSigningError) {
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw AWSSigningError(.invalidConfiguration, "a configuration file is not UTF-8")
        }
        var sections: [String: [String: String]] = [:]
        var section: String?
        var property: String?
        for (index, content) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let isContinued = content.first == " " || content.first == "\t"
            let line = Self.trimmed(content)
            if line.isEmpty || !isContinued && (line.first == "#" || line.first == ";") { continue }
            if isContinued {
                guard let section, let property else { throw Self.fault(index, "goes on with nothing") }
                sections[section]?[property, default: ""] += "\n\(line)"
            } else if line.first == "[" {
                guard let end = line.firstIndex(of: "]") else {
                    throw Self.fault(index, "does not close its ]")
                }
                let rest = Self.trimmed(line[line.index(after: end)...])
                guard rest.isEmpty || rest.first == "#" || rest.first == ";" else {
                    throw Self.fault(index, "has text after its ]")
                }
                let name = String(Self.trimmed(line[line.index(after: line.startIndex)..<end]))
                section = name
                property = nil
                sections[name] = sections[name] ?? [:]
            } else {
                guard let section else { throw Self.fault(index, "is in no section") }
                guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
                    throw Self.fault(index, "is not name = value")
                }
                let name = Self.trimmed(line[..<equals]).lowercased()
                sections[section]?[name] = String(
                    Self.withoutComment(Self.trimmed(line[line.index(after: equals)...]))
                )
                property = name
            }
        }
        profiles = Self.profiles(in: sections, kind: kind)
    }

    private static func profiles(
        in sections: [String: [String: String]],
        kind: Kind
    ) -> [String: [String: String]] {
        guard kind == .configuration else { return sections }
        var profiles: [String: [String: String]] = [:]
        for (section, properties) in sections {
            let words = section.split(whereSeparator: { $0 == " " || $0 == "\t" })
            if words == ["default"] {
                // The written-out form hides the short one; the two are not mixed.
                if !sections.keys.contains(where: { Self.isProfile($0, named: "default") }) {
                    profiles["default"] = properties
                }
            } else if words.count == 2, words[0] == "profile" {
                profiles[String(words[1]), default: [:]].merge(properties) { $1 }
            }
        }
        return profiles
    }

    private static func isProfile(_ section: String, named name: String) -> Bool {
        let words = section.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return words.count == 2 && words[0] == "profile" && words[1] == name
    }

    private static func withoutComment(_ value: Substring) -> Substring {
        var wasBlank = false
        for index in value.indices {
            if wasBlank, value[index] == "#" || value[index] == ";" { return trimmed(value[..<index]) }
            wasBlank = value[index] == " " || value[index] == "\t"
        }
        return value.first == "#" || value.first == ";" ? "" : value
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    private static func fault(_ index: Int, _ what: String) -> AWSSigningError {
        AWSSigningError(.invalidConfiguration, "line \(index + 1) of a configuration file \(what)")
    }
}
