import Foundation
import TestSupport
import Testing

@Suite("Documentation") struct DocumentationTests {
    @Test(arguments: CodeBlock.all.filter { $0.source != nil })
    func quotesAreTheFilesTheyName(block: CodeBlock) throws {
        let source = try String(
            contentsOfFile: PackageFolders.root + "/" + (block.source ?? ""),
            encoding: .utf8
        )
        #expect(block.code == source)
    }

    @Test func everyBlockCompiles() async throws {
        let blocks = CodeBlock.all.filter { $0.source == nil }
        #expect(blocks.count >= 20)
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var files = [try folder.write("Context.swift", Self.context)]
        for (number, block) in blocks.enumerated() {
            let lines = block.code.split(separator: "\n", omittingEmptySubsequences: false)
            let imports = lines.filter { $0.hasPrefix("import ") }.joined(separator: "\n")
            let body = lines.map { $0.hasPrefix("import ") ? "" : String($0) }.joined(separator: "\n")
            let place = #"#sourceLocation(file: "\#(block.page)", line: \#(block.line))"#
            let function = "func block\(number)() async throws {\n\(place)\n\(body)\n#sourceLocation()\n}\n"
            files.append(try folder.write("Block\(number).swift", "\(imports)\n\(function)"))
        }
        let modules = ["CCurl", "CMicroHTTPD", "COpenSSL"].flatMap {
            ["-I", "\(PackageFolders.root)/Sources/\($0)"]
        }
        let command = try await Command.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-I", PackageFolders.products + "/Modules"] + modules
                + files
        )
        #expect(command.status == 0, Comment(rawValue: command.output))
        let errors = command.output.split(separator: "\n").filter { $0.contains("error:") }
        #expect(errors.isEmpty, Comment(rawValue: errors.joined(separator: "\n")))
    }

    /// The names that blocks use and do not make themselves.
    private static let context = """
        import Cryptography
        import HTTPMessages
        import JSONWebTokens
        import Protection
        import ProtectionTesting

        let config = ""
        let otherConfig = ""
        let fetcher: any TokenFetcher = ScriptedTokenFetcher()
        let keys: JSONWebKeySet! = nil
        let request: HTTPRequest! = nil
        func enrol(_ key: PublicKey, provenBy other: PrivateKey) async throws {}
        """

    @Test func theContentsNameEveryHeading() throws {
        let text = try String(contentsOfFile: PackageFolders.root + "/USAGE.md", encoding: .utf8)
        let headings = text.matches(of: #/\n## (.+)/#).map { String($0.1) }.filter { $0 != "Contents" }
        let links = text.matches(of: #/\n- \[(.+)\]\(#([a-z0-9-]+)\)/#)
        #expect(links.map { String($0.1) } == headings)
        for link in links {
            let name = link.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
            #expect(String(link.2) == name.replacing(" ", with: "-"))
        }
        // Links inside of the text lead to headings too.
        let anchors = Set(links.map { String($0.2) })
        for link in text.matches(of: #/\]\(#([^)]+)\)/#) {
            #expect(anchors.contains(String(link.1)), "\(link.1)")
        }
    }

    @Test func thePagesLinkToFilesThatAreThere() throws {
        for page in [
            "README.md", "USAGE.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md", "Tests/README.md",
        ] {
            let text = try String(contentsOfFile: PackageFolders.root + "/" + page, encoding: .utf8)
            for link in text.matches(of: #/\]\(([A-Za-z0-9_.\/-]+)\)/#) {
                #expect(
                    FileManager.default.fileExists(atPath: PackageFolders.root + "/" + link.1),
                    "\(page): \(link.1)"
                )
            }
        }
    }
}
