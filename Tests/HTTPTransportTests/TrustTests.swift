import FoundationEssentials
import Glibc
import HTTPMessages
import HTTPServing
import HTTPTransport
import Locking
import TestSupport
import Testing

/// A root, and certificates under it, made anew for each run.
struct Certificates: Sendable {
    private static var path: String {
        FileManager.default.temporaryDirectory.path + "/transport-tests-\(getpid())"
    }

    let folder: String

    static let shared = Certificates()

    private init() {
        folder = Self.path
        let script = """
            set -e; mkdir -p \(folder); cd \(folder); key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            openssl req -x509 $key -keyout root.key -out root.pem -days 2 -subj /CN=Root
            openssl req -x509 $key -keyout other.key -out other.pem -days 2 -subj /CN=Other
            touch index; echo 01 > serial
            printf '[ca]\\ndefault_ca=c\\n[c]\\ndatabase=index\\nserial=serial\\nnew_certs_dir=.\\ndefault_md=sha256\\n' > ca.cnf
            printf 'policy=p\\nunique_subject=no\\n[p]\\ncommonName=supplied\\n' >> ca.cnf
            make() {
              openssl req -new $key -keyout $1.key -out $1.csr -subj /CN=$1
              echo "subjectAltName=$2" > $1.ext
              openssl ca -batch -config ca.cnf -in $1.csr -out $1.pem -cert root.pem -keyfile root.key -notext \
                -extfile $1.ext -startdate $3 -enddate $4
            }
            openssl req -new $key -keyout issuer.key -out issuer.csr -subj /CN=Issuer
            printf 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign\n' > issuer.ext
            openssl ca -batch -config ca.cnf -in issuer.csr -out issuer.pem -cert root.pem -keyfile root.key -notext \
              -extfile issuer.ext -startdate 20200101000000Z -enddate 20491231000000Z
            openssl req -new $key -keyout chained.key -out chained.csr -subj /CN=chained
            echo subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:a.localhost,DNS:b.a.localhost > chained.ext
            openssl ca -batch -config ca.cnf -in chained.csr -out alone.pem -cert issuer.pem -keyfile issuer.key -notext \
              -extfile chained.ext -startdate 20200101000000Z -enddate 20491231000000Z
            cat alone.pem issuer.pem > chained.pem; cp chained.key alone.key
            make good IP:127.0.0.1,DNS:localhost 20200101000000Z 20491231000000Z
            make named DNS:a.test 20200101000000Z 20491231000000Z
            make expired IP:127.0.0.1 20200101000000Z 20210101000000Z
            make early IP:127.0.0.1 20480101000000Z 20491231000000Z
            make revoked IP:127.0.0.1 20200101000000Z 20491231000000Z
            openssl ca -batch -config ca.cnf -revoke revoked.pem -cert root.pem -keyfile root.key
            openssl ca -batch -config ca.cnf -gencrl -crldays 2 -cert root.pem -keyfile root.key -out root.crl
            """
        unsafe system("mkdir -p \(folder); { \(script)\n} > \(folder)/log 2>&1")
        atexit { unsafe system("rm -rf \(Certificates.path)") }
    }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    func server(_ name: String, counting count: Counter = Counter()) throws -> HTTPServer {
        let tls = HTTPServer.TLS(
            certificateChain: try bytes("\(name).pem"),
            privateKey: try bytes("\(name).key")
        )
        return try HTTPServer(configuration: .init(tls: tls)) { request in
            count.value.withLock { $0 += 1 }
            return HTTPResponse(status: .ok, body: Array(request.target.absoluteString.utf8))
        }
    }
}

/// Counts the requests that a server has seen.
final class Counter: Sendable {
    let value = Mutex(0)
}

@Suite("Trust", .timeLimit(.minutes(1))) struct TrustTests {
    private let certificates = Certificates.shared

    private func session(_ roots: String = "root.pem", asFile: Bool = true) throws -> CurlSession {
        try CurlSession(
            configuration: .init(
                trustRoots: asFile
                    ? .file("\(certificates.folder)/\(roots)") : .pem(try certificates.bytes(roots))
            )
        )
    }

    @Test(arguments: [true, false]) func aKnownRootIsTrusted(asFile: Bool) async throws {
        let server = try certificates.server("good")
        let session = try session(asFile: asFile)
        for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
            let url = "https://\(host):\(server.port)/a"
            #expect(try await session.data(from: url).text == url.lowercased())
        }
    }

    @Test(arguments: [true, false]) func anUnknownRootIsNotTrusted(asFile: Bool) async throws {
        let server = try certificates.server("good")
        let session = try session("other.pem", asFile: asFile)
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.phase == .securing && !error.isRetryable)
    }

    @Test func theSystemsRootsDoNotKnowIt() async throws {
        let server = try certificates.server("good")
        let session = try CurlSession()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": its issuer is not known"))
    }

    @Test(arguments: [
        ("named", "it names another host"), ("expired", "it has expired"), ("early", "it is not valid yet"),
    ])
    func aCertificateThatDoesNotFitIsNotTrusted(name: String, reason: String) async throws {
        let server = try certificates.server(name)
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": \(reason)"), "\(error)")
    }

    @Test func aChainWithoutItsIntermediateIsNotTrusted() async throws {
        let server = try certificates.server("alone")
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: server.url)
        }
        #expect(error.code == .certificateNotTrusted && error.message.hasSuffix(": its issuer is not known"))
        let chained = try certificates.server("chained")
        #expect(try await session.data(from: chained.url).status == .ok)
    }

    @Test func aPlainServerIsNotAnswered() async throws {
        let server = RawServer("HTTP/1.1 400 Bad Request\r\n\r\n", end: .keep, reads: false)
        let session = try session()
        let error = try await #require(throws: TransportError.self) {
            try await session.data(from: "https://127.0.0.1:\(server.port)/")
        }
        #expect(error.code == .tlsFailed)
    }

    @Test func rootsThatAreNoneAreRefused() throws {
        let broken = try certificates.bytes("root.pem") + Array("-----BEGIN CERTIFICATE-----\nMIIB\n".utf8)
        for roots in [Array("none".utf8), [], broken, try certificates.bytes("root.key")] {
            let error = try #require(throws: TransportError.self) {
                try CurlSession(configuration: .init(trustRoots: .pem(roots)))
            }
            #expect(error.code == .invalidConfiguration, "\(error)")
        }
    }

    @Test func sessionsDoNotShareTrust() async throws {
        let server = try certificates.server("good")
        let trusting = try session()
        let other = try session("other.pem")
        #expect(try await trusting.data(from: server.url).status == .ok)
        await #expect(throws: TransportError.self) { try await other.data(from: server.url) }
    }
}
