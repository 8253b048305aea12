import CCurl
import Glibc
import HTTPMessages

/// The exchanges that libcurl works on, used by the loop's thread only.
///
/// A transfer is here while its handle is in the multi handle or waits for a connection; ``detach(_:isFailed:)``
/// is the one place that ends both.
@safe struct ActiveTransfers {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private var gate: StreamGate
    /// Those whose readers take the content as it comes.
    private var streams: [ObjectIdentifier: ResponseChannel] = [:]
    private let sockets = OpenSockets()
    /// No limit of an exchange can pass before.
    private var nextCheck: ContinuousClock.Instant?

    init(multi: UnsafeMutableRawPointer, gate: StreamGate) {
        unsafe self.multi = unsafe multi
        self.gate = gate
    }

    /// Hands a transfer to libcurl, unless it was cancelled on its way.
    mutating func add(_ transfer: Transfer) {
        guard !transfer.isFinished else { return }
        do throws(TransportError) {
            try transfer.note(sockets)
        } catch {
            return transfer.finish(.failure(error))
        }
        transfers[ObjectIdentifier(transfer)] = transfer
        if let channel = transfer.channel { streams[ObjectIdentifier(transfer)] = channel }
        note(transfer)
        if gate.admits(transfer) { start(transfer) }
    }

    private mutating func start(_ transfer: Transfer) {
        unsafe transfer.sink.startedAt = .now
        guard unsafe curl_multi_add_handle(multi, transfer.easy.pointer) != CURLM_OK else { return }
        detach(transfer, isFailed: true)
        transfer.finish(.failure(TransportError(.internalError, "libcurl takes no more exchanges")))
    }

    /// Lets a transfer go on that its reader or writer made wait.
    mutating func resume(_ transfer: Transfer) {
        guard transfers[ObjectIdentifier(transfer)] != nil else { return }
        if let fault = transfer.resume() {
            detach(transfer, isFailed: true)
            return transfer.finish(.failure(fault))
        }
        note(transfer)
    }

    private mutating func note(_ transfer: Transfer) {
        let check = transfer.nextCheck(after: .now)
        nextCheck = min(nextCheck ?? check, check)
    }

    /// Gives a cancelled transfer up.
    mutating func remove(_ transfer: Transfer) {
        guard transfers[ObjectIdentifier(transfer)] != nil else { return }
        detach(transfer, isFailed: false)
    }

    mutating func removeAll(failing error: TransportError) {
        for transfer in transfers.values {
            detach(transfer, isFailed: false)
            transfer.finish(.failure(error))
        }
    }

    /// Ends the work of libcurl; all exchanges are removed before.
    func close() {
        // It tells of the sockets that it closes.
        withExtendedLifetime(sockets) { _ = unsafe curl_multi_cleanup(multi) }
    }

    /// Moves all exchanges on.
    ///
    /// - Returns: How long to wait for more to do at most, in milliseconds; nil when libcurl does not work any more.
    mutating func perform() -> Int32? {
        var running: Int32 = 0
        guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return nil }
        for channel in streams.values { channel.flush() }
        collect()
        let limit = expire()
        let next = gate.next()
        for transfer in next { start(transfer) }
        return next.isEmpty ? limit : 0
    }

    /// Waits until there is more to do.
    ///
    /// - Parameter limit: How long at most, in milliseconds.
    /// - Returns: False when libcurl does not work any more.
    func wait(limit: Int32) -> Bool { unsafe curl_multi_poll(multi, nil, 0, limit, nil) == CURLM_OK }

    /// Finishes what libcurl has finished.
    private mutating func collect() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle
            else {
                continue
            }
            // The message is gone when the handle is.
            let code = unsafe ccurl_message_result(message)
            var context: UnsafeMutableRawPointer?
            guard unsafe ccurl_get_private(easy, &context) == CURLE_OK, let context = unsafe context else {
                continue
            }
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            if code == CURLE_ABORTED_BY_CALLBACK, restart(transfer) { continue }
            if code == CURLE_HTTP2, sendAgain(transfer) { continue }
            let result = result(code, of: transfer)
            detach(transfer, isFailed: code != CURLE_OK)
            transfer.finish(result)
        }
    }

    /// Sends a request over a new connection when it was kept from one that would not do.
    private func restart(_ transfer: Transfer) -> Bool {
        guard unsafe transfer.connection?.isUnfit == true,
            unsafe curl_multi_remove_handle(multi, transfer.easy.pointer) == CURLM_OK
        else { return false }
        unsafe transfer.connection = nil
        do throws(TransportError) { try transfer.easy.set(CURLOPT_FRESH_CONNECT, 1) } catch { return false }
        return unsafe curl_multi_add_handle(multi, transfer.easy.pointer) == CURLM_OK
    }

    /// Sends a request over another connection, once, when the one that it shared broke before anything of the response came.
    ///
    /// Of HTTP/1.1, libcurl does so itself. It does not tell whether the server may have acted on the request.
    private mutating func sendAgain(_ transfer: Transfer) -> Bool {
        guard transfer.mayBeRepeated, transfer.upload == nil, !transfer.isFinished,
            unsafe !transfer.wasSentAgain, unsafe transfer.connection?.isShared == true,
            unsafe transfer.sink.head.status == nil,
            unsafe curl_multi_remove_handle(multi, transfer.easy.pointer) == CURLM_OK
        else { return false }
        // Without it the gate knows that the connection takes no more.
        unsafe (transfer.wasSentAgain, transfer.connection) = (true, nil)
        gate.leave(transfer, isFailed: false)
        if gate.admits(transfer) { start(transfer) }
        return true
    }

    private func result(_ code: CURLcode, of transfer: Transfer) -> Result<HTTPResponse, any Error> {
        guard code == CURLE_OK else {
            // What the app's own sequence threw reaches the app as it is.
            if let failure = transfer.upload?.source.failure { return .failure(failure) }
            return .failure(TransferFault.error(code, of: transfer))
        }
        if transfer.isHandshakeOnly { return .failure(HandshakeEnd()) }
        guard let response = transfer.response() else {
            return .failure(TransferFault.incompleteHead(of: transfer))
        }
        guard !transfer.mayBeCut else { return .failure(TransferFault.cut(transfer)) }
        return .success(response)
    }

    /// Ends the exchanges whose time is over and returns how long to wait, in milliseconds.
    private mutating func expire() -> Int32 {
        guard let check = nextCheck else { return .max }
        let now = ContinuousClock.now
        if check <= now {
            for transfer in transfers.values where transfer.expiry.map({ $0 <= now }) == true {
                let error = TransferFault.timeout(of: transfer)
                detach(transfer, isFailed: true)
                transfer.finish(.failure(error))
            }
            nextCheck = transfers.values.lazy.map { $0.nextCheck(after: now) }.min()
        }
        return nextCheck.map { Int32(clamping: max(now.duration(to: $0), .zero).milliseconds) } ?? .max
    }

    private mutating func detach(_ transfer: Transfer, isFailed: Bool) {
        transfer.giveUp()
        if let connection = unsafe transfer.connection, connection.isShared, !transfer.isEndedByLength {
            sockets.noteReset(connection.localPort)
        }
        gate.leave(transfer, isFailed: isFailed)
        // It fails only for a handle that is not one; one that is not there is no error.
        _ = unsafe curl_multi_remove_handle(multi, transfer.easy.pointer)
        transfers[ObjectIdentifier(transfer)] = nil
        if transfer.channel != nil { streams[ObjectIdentifier(transfer)] = nil }
    }
}
