import Glibc
import ProtectionCommands

/// The process `protection`: everything it does stands in ProtectionCommands.
@main enum EntryPoint {
    static func main() async {
        StandardStreams.reserve()
        let tool = Tool(arguments: Array(CommandLine.arguments.dropFirst()), surroundings: .process())
        exit(await tool.run().rawValue)
    }
}
