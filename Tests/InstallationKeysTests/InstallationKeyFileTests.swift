import Cryptography
import Glibc
import InstallationKeys
import TestSupport
import Testing

@Suite("Installation key file", .timeLimit(.minutes(1))) struct InstallationKeyFileTests {
    func code<Result>(_ body: () throws(InstallationKeyError) -> Result) -> InstallationKeyError.Code? {
        caught(body)?.code
    }

    @Test func theFirstStartMakesAKeyAndTheNextHaveIt() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        #expect(code(file.load) == .notFound)
        let key = try file.loadOrCreate()
        #expect(key.keyType == .p256)
        #expect(try file.load().publicKey == key.publicKey)
        #expect(try file.loadOrCreate().publicKey == key.publicKey)
        #expect(folder.namesWithoutLocks == ["key.pem"])
        #expect(try folder.identity("key.pem")[1] == Int(S_IFREG | 0o600))
        #expect(try folder.text("key.pem") == key.pkcs8PEM())
        #expect(code(file.create) == .alreadyExists)
    }

    @Test func otherSoftwareReadsTheFile() async throws {
        let folder = try TemporaryFolder()
        let key = try InstallationKeyFile(path: folder["key.pem"]).create()
        let command = try await Command.run("openssl", ["pkey", "-in", folder["key.pem"], "-pubout"])
        #expect(command.status == 0 && command.output == key.publicKey.pem)
    }

    @Test func thoseWhoStartAtOnceEndWithOneKey() async throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        let keys = try await withThrowingTaskGroup(of: PublicKey.self) { group in
            for _ in 0..<8 {
                group.addTask { try await blocking { try file.loadOrCreate().publicKey } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(folder.namesWithoutLocks == ["key.pem"])
    }

    static let contents: [(String, InstallationKeyError.Code)] = {
        guard let key = try? PrivateKey.generate(.p256).pkcs8PEM(),
            let rsa = try? PrivateKey.generate(.rsa(bits: 2048)),
            let large = try? PrivateKey.generate(.p384), let edwards = try? PrivateKey.generate(.ed25519)
        else { return [] }
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
        let byDevice = key.replacing("PRIVATE KEY", with: "TSS2 PRIVATE KEY")
        return [
            ("", .damaged), ("garbage", .damaged), (String(key.dropLast(40)), .damaged),
            (key + "more", .damaged), ("more\n" + key, .damaged), (key + key, .damaged),
            (key.replacing("MIG", with: "MIH"), .damaged), (String(repeating: "\n", count: 5000), .damaged),
            ((try? rsa.pkcs8PEM()) ?? "", .wrongKind), ((try? large.pkcs8PEM()) ?? "", .wrongKind),
            ((try? edwards.pkcs8PEM()) ?? "", .wrongKind), (rsa.publicKey.pem, .wrongKind),
            (encrypted, .wrongKind), (byDevice, .wrongKind),
            (key.replacing("PRIVATE KEY", with: "EC PRIVATE KEY"), .wrongKind),
            (
                "-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n-----END PRIVATE KEY-----\n",
                .wrongKind
            ),
        ]
    }()

    @Test(arguments: contents.indices) func whatIsNotTheKeyStaysAsItIs(index: Int) throws {
        let (text, expected) = Self.contents[index]
        let folder = try TemporaryFolder()
        try folder.write("key.pem", text)
        let file = InstallationKeyFile(path: folder["key.pem"])
        try expectUntouched(file, folder, expected)
        // The same as a successor: the key stays in use, and the successor can be discarded.
        try folder.write("next.pem.next", text)
        let next = InstallationKeyFile(path: folder["next.pem"])
        let key = try next.create()
        #expect(code(next.prepareSuccessor) == expected)
        #expect(code { () throws(InstallationKeyError) in try next.promoteSuccessor() } == expected)
        #expect(try next.load().publicKey == key.publicKey)
        #expect(try folder.text("next.pem.next") == text)
        try next.discardSuccessor()
        _ = try next.prepareSuccessor()
    }

    @Test func theListOfContentsIsWhole() { #expect(Self.contents.count == 16) }

    @Test(arguments: ["link", "dangling", "mode", "folder", "pipe", "directory"])
    func whatIsNotSafeStaysAsItIs(kind: String) throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        _ = try InstallationKeyFile(path: folder["real.pem"]).create()
        switch kind {
        case "link": try #require(unsafe symlink(folder["real.pem"], folder["key.pem"]) == 0)
        case "dangling": try #require(unsafe symlink(folder["absent"], folder["key.pem"]) == 0)
        case "folder": try #require(unsafe mkdir(folder["key.pem"], 0o700) == 0)
        case "pipe": try #require(unsafe mkfifo(folder["key.pem"], 0o600) == 0)
        default:
            _ = try file.create()
            if kind == "mode" {
                try #require(unsafe chmod(folder["key.pem"], 0o640) == 0)
            } else {
                try #require(unsafe chmod(folder.path, 0o777) == 0)
            }
        }
        try expectUntouched(file, folder, .unsafeFile)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherOwnerStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["key.pem"])
        _ = try file.create()
        try #require(unsafe chown(folder["key.pem"], 1, 1) == 0)
        try expectUntouched(file, folder, .unsafeFile)
    }

    private func expectUntouched(
        _ file: InstallationKeyFile,
        _ folder: TemporaryFolder,
        _ expected: InstallationKeyError.Code
    ) throws {
        let before = try folder.identity("key.pem")
        let names = folder.namesWithoutLocks
        #expect(code(file.load) == expected)
        #expect(code(file.loadOrCreate) == expected)
        #expect(code(file.prepareSuccessor) == expected)
        #expect(code { () throws(InstallationKeyError) in try file.promoteSuccessor() } == expected)
        #expect([.alreadyExists, .unsafeFile].contains(code(file.create)))
        #expect(try folder.identity("key.pem") == before)
        #expect(folder.namesWithoutLocks == names)
    }

    @Test func theErrorNamesThePathAndNothingSecret() throws {
        let folder = try TemporaryFolder()
        let secret = try PrivateKey.generate(.p256).pkcs8PEM()
        try folder.write("key.pem", secret + "more")
        let file = InstallationKeyFile(path: folder["key.pem"])
        let error = try #require(throws: InstallationKeyError.self) { try file.load() }
        #expect("\(error)".hasPrefix("damaged: \(folder["key.pem"]): ") && error.underlying != nil)
        #expect(!"\(error) \(String(describing: error.underlying))".contains(secret.prefix(60).suffix(30)))
    }

    @Test func aMissingDirectoryIsNotMade() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder["absent/key.pem"])
        #expect(code(file.loadOrCreate) == .notFound)
        #expect(code(file.discardSuccessor) == .notFound)
        #expect(folder.namesWithoutLocks == [])
    }

    @Test func theSystemsFailureIsTold() throws {
        let folder = try TemporaryFolder()
        let file = InstallationKeyFile(path: folder[String(repeating: "k", count: 300)])
        #expect(code(file.load) == .inputOutput)
        #expect(code(InstallationKeyFile(path: "").load) == .inputOutput)
    }
}
