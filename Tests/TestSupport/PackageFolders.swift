import FoundationEssentials

/// Where the package and what was built of it are.
package enum PackageFolders {
    /// The root of the package.
    package static let root: String = {
        var path = #filePath
        for _ in 0..<3 { path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }
        return path
    }()

    /// The folder of the running tests, which holds every product that was built with them.
    package static let products: String = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
    }()
}
