import Glibc

/// What the sample shows, a line a check, and whether all of it came true.
struct Checks {
    private var count = 0
    private var failures = 0

    mutating func check(_ isTrue: Bool, _ text: String) {
        count += 1
        failures += isTrue ? 0 : 1
        print("\(isTrue ? "✓" : "✗ NOT SO:") \(text)")
    }

    /// Ends the program: with 0 when every check came true.
    func end() -> Never {
        print("\(count - failures) of \(count) checks came true.")
        exit(failures == 0 ? 0 : 1)
    }
}
