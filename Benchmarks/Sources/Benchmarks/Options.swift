/// What the command line asks for.
struct Options {
    static let usage = """
        usage: Benchmarks [--list] [--filter TEXT] [--rounds N] [--quick] [--alone] [--json FILE]
                          [--cancel N] [--memory]
          --list         names the benchmarks
          --filter TEXT  runs those whose name contains the text
          --rounds N     takes so many turns each (11)
          --quick        takes two short turns each: shows that all runs, measures nothing
          --alone        runs ours without its peers, for a profiler
          --cancel N     cancels so many requests at random moments instead, and shows what is left
          --memory       shows the memory of 10,000 requests at once instead
          --json FILE    also writes all figures to a file
        """

    private(set) var lists = false
    private(set) var filter = ""
    private(set) var rounds = 11
    private(set) var isQuick = false
    private(set) var isAlone = false
    private(set) var jsonPath: String?
    private(set) var cancellations: Int?
    private(set) var showsMemory = false
    /// Makes this process one that holds requests: who sends them, and where to.
    private(set) var held: (contender: String, url: String)?
    /// Makes this process the server; the CA's certificate goes into this file.
    private(set) var serverCAPath: String?

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            func value() throws -> String {
                guard let value = arguments.next() else { throw BenchmarkError(Self.usage) }
                return value
            }
            switch argument {
            case "--list": lists = true
            case "--filter": filter = try value()
            case "--rounds":
                guard let number = Int(try value()), (1...1000).contains(number) else {
                    throw BenchmarkError("--rounds takes a number from 1 to 1000")
                }
                rounds = number
            case "--quick": isQuick = true
            case "--alone": isAlone = true
            case "--json": jsonPath = try value()
            case "--cancel":
                guard let number = Int(try value()), (1...10_000_000).contains(number) else {
                    throw BenchmarkError("--cancel takes a number from 1 to 10000000")
                }
                cancellations = number
            case "--memory": showsMemory = true
            case MemoryRun.argument: held = (try value(), try value())
            case LoadServer.argument: serverCAPath = try value()
            default: throw BenchmarkError(Self.usage)
            }
        }
    }

    var harness: Harness {
        Harness(rounds: isQuick ? 2 : rounds, turnLength: isQuick ? 0.02 : 0.25, isAlone: isAlone)
    }
}
