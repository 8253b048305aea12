import HTTPMessages
import Locking

/// One request on one connection, from its first line to the end of its response.
///
/// It belongs to the connection: made when the first line has come, given up when the library says that the request is
/// over. Every part of it is used by the connection's thread, and the answer is put in by the handler's task.
@safe final class Exchange: Sendable {
    /// Where the exchange stands.
    enum Phase: Sendable {
        /// The first line has come.
        case started
        /// The head has come and is in order.
        case receiving
        /// The content is longer than allowed; the rest is read and dropped.
        case discarding
        /// The handler is at work and the connection is suspended.
        case suspended
        /// The answer is there and the connection goes on.
        case answered(HTTPResponse)
        /// The answer is with the library.
        case queued
    }

    struct State: Sendable {
        var phase: Phase = .started
        var head: RequestHead?
        var body: [UInt8] = []
        var discarded = 0
    }

    let rawTarget: String
    /// Where the library keeps the target; compared only.
    let targetAddress: UInt
    /// Valid until the library says that the request is over; used after that by nobody, because a suspended connection
    /// is never over and the server forgets a connection when it resumes it.
    nonisolated(unsafe) let connection: OpaquePointer
    let state = Mutex(State())

    init(rawTarget: UnsafePointer<CChar>, connection: OpaquePointer) {
        self.rawTarget = unsafe String(cString: rawTarget)
        targetAddress = UInt(bitPattern: rawTarget)
        unsafe self.connection = unsafe connection
    }

    /// The octets of a content of unknown length that are read after the limit, so that a client which only reads when
    /// it has written everything still sees its 413.
    static func drainLimit(for maximumBodySize: Int) -> Int { max(maximumBodySize, 1 << 16) }
}
