import Cryptography
import Encodings
import JSONWebTokens
import ProtectionCommands
import TestSupport
import Testing

/// Keys made for this run, and files of them in a test's folder.
enum Keys {
    static let signing = Result { try PrivateKey.generate(.p256) }
    static let other = Result { try PrivateKey.generate(.p256) }
    static let rsa = Result { try PrivateKey.generate(.rsa(bits: 2048)) }
    static let edwards = Result { try PrivateKey.generate(.ed25519) }
    static let secret: [UInt8] = (0..<32).map { UInt8($0 * 7 + 1) }

    /// Writes the files that the examples and most tests use.
    static func write(to folder: TemporaryFolder, hosts: [String] = ["api.example.com"]) async throws {
        let key = try signing.get()
        try folder.write("private.pem", key.pkcs8PEM())
        try folder.write("public.pem", key.publicKey.pem, mode: 0o644)
        let jwk = try JSONWebKey(key, keyID: "main")
        try folder.write("private.jwk", jwk.privateObject().serialized())
        try folder.write("public.jwk", jwk.publicObject().serialized(), mode: 0o644)
        let set: JSONValue = ["keys": [.object(try jwk.publicObject())]]
        try folder.write("keys.json", set.serialized(), mode: 0o644)
        try folder.write("secret.raw", secret)
        try folder.write("secret.hex", Hex.encode(secret) + "\n")
        try folder.write("secret.base64", Base64.standard.encode(secret) + "\n")
        try folder.write("secret.base64url", Base64.url.encode(secret) + "\r\n")
        try folder.write("authorization.txt", "Bearer user\n")
        try folder.write("credentials.txt", "Authorization: Bearer user\n\nX-Other: 1\n")
        try folder.write("secrets.json", #"{"shapes-key":"the-secret-of-shapes"}"#)
        try folder.write(
            "aws.ini",
            "[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = \(Hex.encode(secret))\n"
        )
        try await Messages.write(to: folder)
        try Attestations.write(to: folder)
        try folder.write("app.config", try await configuration(folder, hosts: hosts) + "\n", mode: 0o644)
    }

    static func configuration(
        _ folder: TemporaryFolder,
        hosts: [String],
        pins: [String] = []
    ) async throws -> String {
        let run = await Run(
            ["config", "make", "--authority", "https://authority.example", "--account", "demo"]
                + ["--key", folder["public.pem"]] + hosts.flatMap { ["--host", $0] }
                + pins.flatMap { ["--pin", $0] }
        )
        try #require(run.exit == .ok, "\(run.errors)")
        return run.line
    }

    /// Writes a token that is good for five minutes from a date.
    static func token(_ folder: TemporaryFolder, _ options: [String] = []) async throws -> String {
        let run = await Run(
            ["token", "mint", "--key", folder["private.pem"], "--audience", "api.example.com"] + options
        )
        try #require(run.exit == .ok, "\(run.errors)")
        return run.line
    }
}
