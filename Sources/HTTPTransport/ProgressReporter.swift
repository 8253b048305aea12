import CCurl
import HTTPMessages

/// Passes libcurl's counts on to whoever watches.
@safe final class ProgressReporter: Sendable {
    let progress: HTTPProgress
    /// Used on the loop's thread only.
    private nonisolated(unsafe) let sink: ResponseSink

    init(_ progress: HTTPProgress, of sink: ResponseSink) {
        self.progress = progress
        unsafe self.sink = sink
    }

    /// libcurl itself expects nothing of a response of HTTP/2, whose announced length it is told to ignore.
    static let callback: ccurl_progress_callback = { context, _, received, _, sent in
        guard let context = unsafe context else { return 0 }
        let reporter = unsafe Unmanaged<ProgressReporter>.fromOpaque(context).takeUnretainedValue()
        let expected = unsafe reporter.sink.expectedLength
        reporter.progress.report(.init(sent: Int(sent), received: Int(received), expected: expected))
        return 0
    }
}
