import FoundationEssentials
import TestSupport

/// One block of Swift in a page of the documentation.
struct CodeBlock: Sendable, CustomStringConvertible {
    /// The page, as a path from the root of the package.
    let page: String
    /// The line of the block's first line of code, from 1.
    let line: Int
    /// The file that the block quotes, named by the comment before it; nil for a block of its own.
    let source: String?
    let code: String

    var description: String { "\(page):\(line)" }

    static let pages = ["README.md", "USAGE.md"]

    static let all: [CodeBlock] = pages.flatMap { page in
        (try? String(contentsOfFile: PackageFolders.root + "/" + page, encoding: .utf8)).map {
            blocks(in: $0, of: page)
        } ?? []
    }

    private static func blocks(in text: String, of page: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var open: (line: Int, source: String?, code: [Substring])?
        var previous: Substring = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                if line == "```" {
                    let code = block.code.joined(separator: "\n") + "\n"
                    blocks.append(CodeBlock(page: page, line: block.line, source: block.source, code: code))
                    open = nil
                } else {
                    open?.code.append(line)
                }
            } else if line == "```swift" {
                let isQuote = previous.hasPrefix("<!-- ") && previous.hasSuffix(" -->")
                open = (index + 2, isQuote ? String(previous.dropFirst(5).dropLast(4)) : nil, [])
            }
            previous = line
        }
        return blocks
    }
}
