import CCurl
import Cryptography
import HTTPMessages

/// Says in the transport's own words why libcurl ended an exchange.
enum TransferFault {
    /// The error for an exchange that libcurl ended with this code.
    static func error(_ code: CURLcode, of transfer: Transfer) -> TransportError {
        let easy = transfer.easy
        let phase = phase(of: transfer)
        let number = Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO))
        if let fault = unsafe transfer.sink.fault {
            return TransportError(fault.code, fault.message, host: transfer.target.host, phase: phase)
        }
        if unsafe transfer.isRepeatRefused {
            return TransportError(
                .connectionClosed,
                "the connection was closed before the response, and the request is not sent again",
                host: transfer.target.host,
                phase: .waiting
            )
        }
        let pinning = transfer.pinning?.report
        if let pinning, pinning.isChainTrusted, pinning.mode == .enforce {
            return TransportError(
                .pinningFailed,
                "no key of the server's chain is pinned",
                host: transfer.target.host,
                phase: .securing,
                curlCode: Int32(truncatingIfNeeded: code.rawValue),
                pinning: pinning
            )
        }
        let answer = easy.number(CURLINFO_HTTP_CONNECTCODE)
        if answer >= 300 {
            return TransportError(
                .proxyFailed,
                "the proxy refuses the tunnel with status \(answer)",
                host: transfer.target.host,
                phase: .connecting,
                curlCode: Int32(truncatingIfNeeded: code.rawValue),
                isPassing: [502, 503, 504].contains(answer)
            )
        }
        let (kind, message) = meaning(of: code.rawValue, of: transfer, in: phase)
        let reason =
            kind == .certificateNotTrusted ? verifyReason(easy.number(CURLINFO_SSL_VERIFYRESULT)) : nil
        return TransportError(
            kind,
            reason.map { "\(message): \($0)" } ?? message,
            host: transfer.target.host,
            phase: phase,
            curlCode: Int32(truncatingIfNeeded: code.rawValue),
            errorNumber: number == 0 ? nil : number,
            pinning: kind == .certificateNotTrusted ? pinning : nil,
            isPassing: kind == .proxyFailed && code == CURLE_COULDNT_CONNECT
        )
    }

    /// The error for an exchange whose time is over.
    static func timeout(of transfer: Transfer) -> TransportError {
        TransportError(
            .timedOut,
            "the exchange took too long",
            host: transfer.target.host,
            phase: phase(of: transfer)
        )
    }

    /// The error for an exchange that libcurl calls complete although no final head has ended.
    static func incompleteHead(of transfer: Transfer) -> TransportError {
        // Nobody asked for another protocol.
        let isSwitch = unsafe transfer.sink.head.status?.code == 101
        return TransportError(
            isSwitch ? .malformedResponse : .connectionClosed,
            isSwitch ? "the server switches protocols" : "the connection was closed within the head",
            host: transfer.target.host,
            phase: .receiving
        )
    }

    /// What the number means where it does not say it all itself.
    private static func meaning(
        of number: UInt32,
        of transfer: Transfer,
        in phase: TransportError.Phase
    ) -> (TransportError.Code, String) {
        let (code, message) = meaning(of: number)
        if transfer.usesProxy, code == .connectFailed {
            return (.proxyFailed, "the proxy takes no connection")
        }
        if code == .tlsFailed, let failure = transfer.pinning?.chain.signingFailure {
            return (code, "the client's key cannot sign the handshake: \(failure.code), \(failure.message)")
        }
        if number == CURLE_SSL_CONNECT_ERROR.rawValue, transfer.pinning?.chain.isHandshakeCut == true {
            return (.connectionClosed, "the connection was closed within the TLS handshake")
        }
        // libcurl has no other word for a line that is longer than it takes (100 kB), and for more than it keeps for a reader
        // who lets it wait (64 MiB), which one read can become when it is decoded.
        if phase == .receiving, number == CURLE_OUT_OF_MEMORY.rawValue {
            let isHead = unsafe !transfer.sink.head.isComplete
            return (
                .responseTooLarge,
                isHead ? "a line of the head is too large" : "a few octets of the content expand to too many"
            )
        }
        // So it calls a line after the last chunk that is no field.
        if phase == .receiving, number == CURLE_BAD_FUNCTION_ARGUMENT.rawValue {
            return (.malformedResponse, "the response is not HTTP as it should be")
        }
        if phase == .waiting, code == .connectionFailed || code == .connectionClosed,
            let alert = transfer.pinning?.chain.serverAlert
        {
            return (.tlsFailed, "the server ended TLS with alert \(alert)")
        }
        return (code, message)
    }

    /// The error for a response whose end the server did not tell of.
    static func cut(_ transfer: Transfer) -> TransportError {
        TransportError(
            .connectionClosed,
            "the connection was closed within the response",
            host: transfer.target.host,
            phase: .receiving
        )
    }

    static func meaning(of number: UInt32) -> (TransportError.Code, String) {
        switch CURLcode(rawValue: number) {
        case CURLE_COULDNT_RESOLVE_HOST: (.resolveFailed, "the host's name has no address")
        case CURLE_COULDNT_RESOLVE_PROXY: (.proxyFailed, "the proxy's name has no address")
        case CURLE_PROXY: (.proxyFailed, "the proxy refuses the connection")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: (.connectionFailed, "the HTTP/2 connection or stream broke")
        case CURLE_SEND_FAIL_REWIND:
            (.connectionFailed, "the connection broke, and the content cannot be sent again")
        case CURLE_COULDNT_CONNECT: (.connectFailed, "the host takes no connection")
        case CURLE_OPERATION_TIMEDOUT: (.timedOut, "the connection took too long")
        case CURLE_PEER_FAILED_VERIFICATION:
            (.certificateNotTrusted, "the server's certificate is not trusted")
        case CURLE_SSL_CLIENTCERT: (.tlsFailed, "the server wants another certificate of the client")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED:
            (.tlsFailed, "the TLS handshake failed")
        case CURLE_ABORTED_BY_CALLBACK:
            (.tlsFailed, "the TLS policy or the client's certificate cannot be used")
        case CURLE_SSL_INVALIDCERTSTATUS: (.certificateNotTrusted, "the server staples no good status")
        case CURLE_GOT_NOTHING: (.connectionClosed, "the connection was closed before the response")
        case CURLE_PARTIAL_FILE: (.connectionClosed, "the connection was closed within the response")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            (.connectionFailed, "the connection broke, or its framing did")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            (.malformedResponse, "the response is not HTTP as it should be")
        case CURLE_FILESIZE_EXCEEDED: (.responseTooLarge, "the content is too large")
        default: (.internalError, "libcurl failed")
        }
    }

    private static func phase(of transfer: Transfer) -> TransportError.Phase {
        let easy = transfer.easy
        // With content, libcurl takes that time when it starts to send.
        if easy.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0,
            unsafe !transfer.hasContent || transfer.sink.head.status != nil
        {
            return .receiving
        }
        if easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 { return .waiting }
        // The time of the connection is told after the handshake only, the port of this side before it.
        if easy.number(CURLINFO_LOCAL_PORT) > 0 { return .securing }
        return easy.offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 ? .connecting : .resolving
    }

    /// The reasons that OpenSSL gives most often (x509_vfy.h).
    private static func verifyReason(_ code: Int) -> String {
        switch code {
        // What libcurl leaves there when the chain is fine and the name is not.
        case 1: "it names another host"
        case 9: "it is not valid yet"
        case 10: "it has expired"
        case 18: "it is self-signed"
        case 19: "its root is not trusted"
        case 20, 21: "its issuer is not known"
        case 23: "it was revoked"
        default: "verification result \(code)"
        }
    }
}
