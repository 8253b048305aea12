import Glibc

/// The memory of this process.
package enum Memory {
    /// A sanitizer keeps what was freed, so that the memory tells nothing.
    package static let isSanitized =
        unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    /// How many octets are in memory now.
    package static func resident() -> Int {
        let words = (try? FileContents.text(of: "/proc/self/statm"))?.split(separator: " ") ?? []
        return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4096
    }
}
