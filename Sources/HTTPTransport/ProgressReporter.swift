import CCurl
import HTTPMessages

/// Passes libcurl's counts on to whoever watches.
final class ProgressReporter: Sendable {
    let progress: HTTPProgress

    init(_ progress: HTTPProgress) {
        self.progress = progress
    }

    static let callback: ccurl_progress_callback = { context, expected, received, _, sent in
        guard let context = unsafe context else { return 0 }
        let reporter = unsafe Unmanaged<ProgressReporter>.fromOpaque(context).takeUnretainedValue()
        reporter.progress.report(
            .init(sent: Int(sent), received: Int(received), expected: expected > 0 ? Int(expected) : nil)
        )
        return 0
    }
}
