extension String {
    /// The text with every character escaped that could steer a terminal or hide what stands beside it.
    var escapingControls: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text in words of a shell, quoted where that is needed.
    var quotedForShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { octet in
                switch octet {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-_./:=@,+".utf8.contains(octet)
                }
            }
        return isPlain
            ? self
            : "'"
                + split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: #"'\''"#) + "'"
    }

    /// Lines of at most a width, broken at spaces.
    func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? "\(word)" : " \(word)"
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
