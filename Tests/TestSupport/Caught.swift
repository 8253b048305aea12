/// The error of a call that throws errors of one type; nil when it throws none.
package func caught<Result, Failure: Error>(_ body: () throws(Failure) -> Result) -> Failure? {
    do throws(Failure) {
        _ = try body()
        return nil
    } catch { return error }
}
