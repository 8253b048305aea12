// swift-tools-version: 6.3
import PackageDescription

/// One set of rules for every target: Swift 6, warnings are errors, C is marked where it is touched.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func sample(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Samples/\(name)", swiftSettings: strict)
}

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["Locking", "TestVectors"], swiftSettings: strict)
}

let package = Package(
    name: "swift-protection",
    products: [
        .library(name: "Protection", targets: ["Protection"]),
        .library(name: "ProtectionFoundation", targets: ["ProtectionFoundation"]),
        .library(name: "ProtectionTesting", targets: ["ProtectionTesting"]),
        .library(name: "RequestVerification", targets: ["RequestVerification"]),
        .library(name: "AttestationAuthority", targets: ["AttestationAuthority"]),
        .library(name: "EmbeddedAttestation", targets: ["EmbeddedAttestation"]),
        .library(name: "JSONWebTokens", targets: ["JSONWebTokens"]),
        .library(name: "Cryptography", targets: ["Cryptography"]),
        .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
        .library(name: "HTTPServing", targets: ["HTTPServing"]),
        .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
    ],
    targets: [
        // C libraries, each imported by one Swift target only.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]
        ),

        // Layers; arrows point down.
        target("Encodings"),
        target("HTTPMessages"),
        target("Timing"),
        target("Locking"),
        target("Cryptography", ["COpenSSL", "Encodings", "Locking"]),
        target("JSONWebTokens", ["Cryptography", "Encodings", "Locking"]),
        target(
            "RequestVerification",
            ["Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Timing"]
        ),
        target(
            "AttestationAuthority",
            ["Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Locking", "Timing"]
        ),
        target(
            "Protection",
            [
                "Cryptography", "Encodings", "HTTPMessages", "HTTPTransport", "JSONWebTokens", "Locking",
                "Timing",
            ]
        ),
        target("EmbeddedAttestation", ["AttestationAuthority", "Cryptography", "Locking", "Protection"]),
        target("ProtectionFoundation", ["HTTPMessages", "Protection"]),
        target("ProtectionTesting", ["HTTPMessages", "Locking", "Protection", "Timing"]),
        target("HTTPServing", ["CMicroHTTPD", "HTTPMessages", "Locking"]),
        target("HTTPTransport", ["CCurl", "HTTPMessages", "Locking"]),

        // Samples.
        sample(
            "QuickStart",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "Encodings", "HTTPMessages",
                "HTTPServing", "HTTPTransport", "JSONWebTokens", "Locking", "Protection",
                "RequestVerification", "Timing",
            ]
        ),
        sample("EmptyConfig", ["HTTPMessages", "Protection", "ProtectionTesting"]),
        sample(
            "PolicyMutator",
            ["Cryptography", "HTTPMessages", "JSONWebTokens", "Protection", "ProtectionTesting"]
        ),

        // Tests.
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: strict),
        .target(
            name: "TestServers",
            dependencies: ["Locking"],
            path: "Tests/TestServers",
            swiftSettings: strict
        ),
        test("EncodingsTests", ["Encodings"]),
        test("LockingTests", []),
        test("HTTPMessagesTests", ["HTTPMessages"]),
        test("CryptographyTests", ["Cryptography", "Encodings"]),
        test("JSONWebTokensTests", ["Cryptography", "Encodings", "JSONWebTokens"]),
        test(
            "ProtectionFoundationTests",
            ["HTTPMessages", "Protection", "ProtectionFoundation", "ProtectionTesting"]
        ),
        test(
            "AttestationAuthorityTests",
            [
                "AttestationAuthority", "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens",
                "ProtectionTesting", "Timing",
            ]
        ),
        test(
            "RequestVerificationTests",
            [
                "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "ProtectionTesting",
                "RequestVerification", "Timing",
            ]
        ),
        test(
            "EmbeddedAttestationTests",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "HTTPMessages",
                "JSONWebTokens",
                "Protection", "ProtectionTesting", "RequestVerification",
            ]
        ),
        test(
            "ProtectionTests",
            [
                "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Protection",
                "ProtectionTesting", "Timing", "HTTPServing", "HTTPTransport", "TestServers",
            ]
        ),
        test("HTTPServingTests", ["HTTPServing", "HTTPMessages"]),
        test("HTTPTransportTests", ["HTTPTransport", "HTTPServing", "HTTPMessages", "TestServers"]),
        test(
            "DocumentationTests",
            [
                "AttestationAuthority", "EmbeddedAttestation", "EmptyConfig", "PolicyMutator",
                "ProtectionFoundation", "ProtectionTesting", "QuickStart", "RequestVerification",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
