import APIClient
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import HTTPServing
import HTTPTransport
import Protection
import ProtectionTesting
import TestSupport
import Testing

@Suite("SSL pinning", .timeLimit(.minutes(2))) struct PinningTests {
    private let root: Certificate
    private let leaf: Certificate
    private let folder: TemporaryFolder

    init() throws {
        let authority = try CertificateAuthority.shared
        root = try authority.certificate("root")
        leaf = try authority.certificate("good")
        folder = try TemporaryFolder()
    }

    private func hash(_ certificate: Certificate) -> String {
        Base64.standard.encode(certificate.subjectPublicKeyInfoSHA256)
    }

    private func strange() throws -> String {
        Base64.standard.encode(try PrivateKey.generate(.p256).publicKey.spkiSHA256())
    }

    private func call(_ pinning: API.SSLPinning) async throws -> Int {
        let backend = try Backend { _ in try .json("[]") }
        let api = try backend.api { $0.sslPinning = pinning }
        return try await api.perform(APIRequest(.get, "/")).response.status.code
    }

    @Test func aHashOfAnyCertificateOfTheChainFits() async throws {
        for hashes in [
            [hash(leaf)], [hash(root)], ["sha256/" + hash(leaf)],
            [try strange(), hash(root)],
        ] {
            #expect(try await call(.enabledWithKeyHashes(hashes)) == 200)
        }
    }

    @Test func aCertificateOfAnyFormFits() async throws {
        let der = try folder.write("leaf.der", leaf.der)
        let pem = try folder.write("root.pem", root.pem)
        let bundle = try folder.write("bundle.pem", foreign().pem + leaf.pem)
        for path in [der, pem, bundle] {
            #expect(try await call(.enabledWithCertificateURLs([URL(filePath: path)])) == 200)
            #expect(try await call(.enabledWithCertificateFiles([path])) == 200)
        }
    }

    private func foreign() throws -> Certificate {
        try CertificateBuilder(
            commonName: "Foreign",
            role: .authority(pathLength: 0),
            notBefore: 0,
            notAfter: 4_000_000_000
        ).selfSigned(with: try PrivateKey.generate(.p256))
    }

    @Test func aWrongPinIsAnErrorOfItsOwn() async throws {
        let strange = try strange()
        let file = try folder.write("foreign.der", foreign().der)
        for pinning in [API.SSLPinning.enabledWithKeyHashes([strange]), .enabledWithCertificateFiles([file])]
        {
            let error = try #require(await #expect(throws: APIError.self) { try await call(pinning) })
            #expect(error.code == .pinning && !error.isRetryable)
            let report = try #require(error.pinning)
            #expect(report.host == "localhost" && report.isChainTrusted)
            #expect(report.chain.map(\.base64) == [hash(leaf), hash(root)])
            #expect("\(error)".contains(hash(leaf)))
        }
    }

    @Test func noPinsAreNoPinning() throws {
        let empty = try folder.write("empty.pem", [])
        let text = try folder.write("text.pem", "no certificate")
        let broken = try folder.write("broken.der", [0x30, 0x03, 0x02, 0x01, 0x01])
        for pinning in [
            API.SSLPinning.enabledWithKeyHashes([]), .enabledWithCertificateURLs([]),
            .enabledWithKeyHashes(["AAAA"]), .enabledWithKeyHashes([hash(leaf), "not base64!"]),
            .enabledWithCertificateFiles([folder.path + "/absent.der"]),
            .enabledWithCertificateFiles([folder.path]), .enabledWithCertificateFiles([empty]),
            .enabledWithCertificateFiles([text]), .enabledWithCertificateFiles([broken]),
            .enabledWithCertificateURLs([try #require(URL(string: "https://example.com/x.der"))]),
        ] {
            let error = #expect(throws: APIError.self) { try API(sslPinning: pinning) }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    @Test func aPinnedAPIIsNotCalledInTheClear() async throws {
        let server = try HTTPServer { _ in HTTPResponse(status: .ok) }
        let api = try API(sslPinning: .enabledWithKeyHashes([hash(leaf)]))
        let error = await #expect(throws: APIError.self) {
            try await api.perform(APIRequest(.get, APIEndpoint(path: server.url)))
        }
        #expect(error?.code == .pinning)
    }

    @Test func noMutatorTakesThePinsOut() async throws {
        struct Unpinning: ServiceMutator {
            func shouldPin(_ request: HTTPRequest) async throws -> PinningDecision { .skip }
        }
        let backend = try Backend { _ in try .json("[]") }
        let service = ProtectionService(options: .init(prefetches: false))
        service.setLoggingLevel(.off)
        try service.initialize(
            config: TestConfiguration.line(),
            fetcher: ScriptedTokenFetcher(tokens: [.token("t")])
        )
        service.setServiceMutator(Unpinning())
        let strange = try strange()
        let api = try backend.api {
            $0.protection = service
            $0.sslPinning = .enabledWithKeyHashes([strange])
        }
        let error = await #expect(throws: APIError.self) { try await api.perform(APIRequest(.get, "/")) }
        #expect(error?.code == .pinning)
        #expect(backend.requests.isEmpty)
    }
}
