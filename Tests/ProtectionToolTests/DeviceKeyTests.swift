import Cryptography
import Encodings
import TestSupport
import Testing

/// The binary with a TPM of its own, reached by the environment of its process.
@Suite("keys in a TPM", .timeLimit(.minutes(2))) struct DeviceKeyTests {
    private static let isPresent =
        Shell.isPresent("swtpm") && Shell.isPresent("tpm2_createprimary") && Shell.isPresent("openssl")

    /// Starts a TPM, runs the lines, and ends it whatever they did.
    private func run(_ lines: String, in folder: TemporaryFolder) async throws -> Shell.Result {
        try await Shell.run(
            """
            mkdir state; socket=$(mktemp -u /tmp/swtpm-XXXXXX)
            swtpm socket --tpm2 --tpmstate dir=$PWD/state --server type=unixio,path=$socket \
                --ctrl type=unixio,path=$socket.ctrl --flags not-need-init,startup-clear --daemon --pid file=$PWD/pid
            trap 'kill -KILL $(cat pid); rm -f $socket $socket.ctrl' EXIT
            export TPM2OPENSSL_TCTI=swtpm:path=$socket TPM2TOOLS_TCTI=swtpm:path=$socket TSS2_LOG=all+NONE
            umask 077
            set -e
            \(lines)
            """,
            in: folder
        )
    }

    @Test(.enabled(if: isPresent, "not installed: swtpm, tpm2-tools or openssl"))
    func aKeyIsMadeInATPM() async throws {
        let folder = try TemporaryFolder()
        let result = try await run(
            """
            echo secret > pass
            protection keys new --provider tpm2 --json tpm.pem > new
            protection keys show --provider tpm2 --json tpm.pem > shown; cmp new shown
            protection keys show --provider tpm2 --json --store-uri file:$PWD/tpm.pem > stored; cmp new stored
            protection keys new --provider tpm2 --passphrase-file pass locked.pem
            protection keys show --provider tpm2 --passphrase-file pass locked.pem
            ! protection keys show --provider tpm2 --json locked.pem > locked
            ! protection keys new --provider tpm2 --json tpm.pem > again
            """,
            in: folder
        )
        #expect(result.exit == 0, "\(result.output)\(result.errors)")
        let shown = try JSONValue(parsing: Array(folder.text("shown").utf8)).object
        #expect(shown?["type"] == "P-256" && shown?["provider"] == "tpm2")
        #expect(try folder.text("tpm.pem").hasPrefix("-----BEGIN TSS2 PRIVATE KEY-----\n"))
        #expect(try folder.text("locked").contains(#""code":"wrongPassphrase""#))
        #expect(try folder.text("again").contains(#""code":"alreadyExists""#))
        #expect(result.output.contains("provider     tpm2\n"))
    }

    @Test(.enabled(if: isPresent, "not installed: swtpm, tpm2-tools or openssl"))
    func aKeyIsFoundByItsHandle() async throws {
        let folder = try TemporaryFolder()
        let result = try await run(
            """
            tpm2_createprimary -Q -C o -G ecc256 -c p.ctx; tpm2_flushcontext -t
            tpm2_create -Q -C p.ctx -G ecc256:ecdsa-sha256 -u u -r r; tpm2_flushcontext -t
            tpm2_load -Q -C p.ctx -u u -r r -c l.ctx; tpm2_evictcontrol -Q -C o -c l.ctx 0x81000001 > evicted; tpm2_flushcontext -t
            tpm2_readpublic -Q -c 0x81000001 -f pem -o public.pem; tpm2_flushcontext -t
            protection keys show --provider tpm2 --json --store-uri handle:0x81000001 > shown
            protection keys show --json - < public.pem > public
            ! protection keys show --provider tpm2 --json --store-uri handle:0x81000009 > missing
            """,
            in: folder
        )
        #expect(result.exit == 0, "\(result.output)\(result.errors)")
        let shown = try JSONValue(parsing: Array(folder.text("shown").utf8)).object
        let expected = try JSONValue(parsing: Array(folder.text("public").utf8)).object
        #expect(shown?["ipk"] != nil && shown?["ipk"] == expected?["ipk"])
        #expect(try folder.text("missing").contains(#""code":"keyNotFound""#))
    }

    /// Whoever demands a certificate here is `openssl s_server`, whose page tells whose it saw.
    @Test(.enabled(if: isPresent, "not installed: swtpm, tpm2-tools or openssl"))
    func aServerIsShownACertificateOfTheTPM() async throws {
        let folder = try TemporaryFolder()
        let made = try await Shell.run(
            """
            set -e; ec='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -x509 -days 2'
            openssl req $ec -keyout root.key -out root.pem -subj /CN=root
            openssl req $ec -keyout server.key -out server.pem -subj /CN=server -addext subjectAltName=IP:127.0.0.1
            chmod 600 root.key
            """,
            in: folder
        )
        #expect(made.exit == 0, "\(made.errors)")
        let port = Loopback.freePort()
        let server = try await Daemon(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-Verify", "2", "-verify_return_error",
                "-cert", folder["server.pem"], "-key", folder["server.key"], "-CAfile", folder["root.pem"],
            ],
            log: folder["server.log"],
            port: port
        )
        let result = try await run(
            """
            echo secret > pass; echo mistake > wrong
            tpm='-provider tpm2 -provider default -propquery ?provider=tpm2'
            for name in open locked; do
                [ $name = open ] || passphrase='--passphrase-file pass'
                protection keys new --provider tpm2 $passphrase $name.key
                openssl req -new $tpm -key $name.key -passin file:pass -subj /CN=$name -out $name.csr
                openssl x509 -req -in $name.csr -CA root.pem -CAkey root.key -CAcreateserial -days 2 -out $name.pem
                chmod 644 $name.pem
            done
            chmod 644 server.pem
            send() { protection request --json --provider tpm2 --cacert server.pem "$@" https://127.0.0.1:\(port)/; }
            send --cert open.pem --key open.key > file
            send --cert open.pem --key file:$PWD/open.key > uri
            send --cert locked.pem --key locked.key --passphrase-file pass > passphrase
            ! send --cert locked.pem --key locked.key --passphrase-file wrong > mistake
            ! send --cert locked.pem --key open.key > other
            ! send --cert open.pem --key handle:0x81000009 > missing
            """,
            in: folder
        )
        #expect(result.exit == 0, "\(result.output)\(result.errors)")
        for (name, client) in [("file", "open"), ("uri", "open"), ("passphrase", "locked")] {
            let page = try folder.text(name)
            #expect(page.contains("Subject: CN=\(client)") || page.contains("Subject: CN = \(client)"))
        }
        let mistake = try folder.text("mistake")
        #expect(mistake.contains(#""code":"tlsFailed""#) && mistake.contains("wrongPassphrase"))
        #expect(try folder.text("other").contains(#""code":"invalidKey""#))
        #expect(try folder.text("missing").contains(#""code":"keyNotFound""#))
        withExtendedLifetime(server) {}
    }

    @Test func withoutATPMTheToolSaysSo() async throws {
        let folder = try TemporaryFolder()
        let result = try await Shell.run(
            "TSS2_LOG=all+NONE TPM2OPENSSL_TCTI=swtpm:path=/absent protection keys new --provider tpm2 --json key.pem",
            in: folder
        )
        #expect(
            result.exit == 3 && result.output.contains(#""code":"providerUnavailable""#),
            "\(result.output)"
        )
    }
}
