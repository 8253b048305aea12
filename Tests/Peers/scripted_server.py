"""Answers the first request of every connection over TLS with the same records, all in one segment, and says no more.

Arguments: port, files of the certificate and the key, protocol (http/1.1 or h2), what comes after the records (silence,
notify: close_notify, with TCP left open; shut: the end of TCP in this direction, without close_notify), and the records
in hexadecimal. It always reads until the client leaves.
"""

import socket
import ssl
import sys
import threading


def has_request(received, protocol):
    if protocol != "h2":
        return b"\r\n\r\n" in received
    start = 24
    while len(received) >= start + 9:
        if received[start + 3] == 1:
            return True
        start += 9 + int.from_bytes(received[start : start + 3], "big")
    return False


def serve(connection, context, protocol, end, records):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(incoming, outgoing, server_side=True)
    received, is_open, is_answered = b"", False, False
    while octets := connection.recv(65536):
        incoming.write(octets)
        try:
            if not is_open:
                tls.do_handshake()
                is_open = True
            while True:
                received += tls.read(65536)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            break
        if is_open and not is_answered and has_request(received, protocol):
            is_answered = True
            for record in records:
                tls.write(record)
            if end == "notify":
                try:
                    tls.unwrap()
                except ssl.SSLWantReadError:
                    pass
        connection.sendall(outgoing.read())
        if is_answered and end == "shut":
            connection.shutdown(socket.SHUT_WR)
            end = "silence"
    connection.close()


def main():
    port, certificate, key, protocol, end, *records = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols([protocol])
    records = [bytes.fromhex(record) for record in records]
    with socket.create_server(("127.0.0.1", int(port))) as listener:
        while True:
            connection, _ = listener.accept()
            arguments = (connection, context, protocol, end, records)
            threading.Thread(target=serve, args=arguments, daemon=True).start()


main()
