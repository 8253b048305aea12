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

func test(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let support: [Target.Dependency] = ["Locking", "TestSupport", "TestVectors"]
    return .testTarget(name: name, dependencies: dependencies + support, swiftSettings: strict)
}

func library(_ name: String) -> Product { .library(name: name, targets: [name]) }

let package = Package(
    name: "swift-protection",
    products: [
        library("Protection"),
        library("APIClient"),
        library("ProtectionFoundation"),
        library("ProtectionTesting"),
        library("RequestVerification"),
        library("AttestationAuthority"),
        library("EmbeddedAttestation"),
        library("InstallationKeys"),
        library("AWSSigning"),
        library("AppAttestation"),
        library("AppAttestationClient"),
        library("JSONWebTokens"),
        library("Cryptography"),
        library("HTTPInterceptors"),
        library("HTTPTransport"),
        library("HTTPServing"),
        library("HTTPMessages"),
        library("MessageSignatures"),
        library("StructuredFields"),
        library("Encodings"),
        library("Timing"),
        .executable(name: "protection", targets: ["ProtectionTool"]),
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
        .systemLibrary(name: "CGetopt"),

        // Layers, the lowest first.
        target("Locking"),
        target("Timing", ["Locking"]),
        target("FileStorage"),
        target("Encodings"),
        target("HTTPMessages", ["Encodings", "Locking"]),
        target("StructuredFields", ["Encodings"]),
        target("Cryptography", ["COpenSSL", "Encodings", "Locking"]),
        target("InstallationKeys", ["Cryptography", "FileStorage"]),
        target("JSONWebTokens", ["Cryptography", "Encodings", "Locking"]),
        target("MessageSignatures", ["Cryptography", "Encodings", "HTTPMessages", "StructuredFields"]),
        target("AWSSigning", ["Cryptography", "Encodings", "HTTPMessages", "Locking", "Timing"]),
        target(
            "AppAttestation",
            ["Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Locking", "Timing"]
        ),
        target(
            "AppAttestationClient",
            [
                "AppAttestation", "Cryptography", "Encodings", "FileStorage", "HTTPMessages",
                "InstallationKeys", "Locking", "Timing",
            ]
        ),
        target("HTTPInterceptors", ["Encodings", "HTTPMessages", "Locking", "Timing"]),
        target("HTTPTransport", ["CCurl", "Cryptography", "Encodings", "HTTPMessages", "Locking"]),
        target("HTTPServing", ["CMicroHTTPD", "HTTPMessages", "Locking"]),
        target(
            "Protection",
            [
                "Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPTransport",
                "JSONWebTokens", "Locking", "MessageSignatures", "StructuredFields", "Timing",
            ]
        ),
        target(
            "APIClient",
            [
                "Cryptography", "Encodings", "FileStorage", "HTTPInterceptors", "HTTPMessages",
                "HTTPTransport",
                "Locking", "Protection",
            ]
        ),
        target("ProtectionFoundation", ["HTTPMessages", "HTTPTransport", "Protection"]),
        target("ProtectionTesting", ["HTTPMessages", "Locking", "Protection", "Timing"]),
        target(
            "RequestVerification",
            [
                "AppAttestation", "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Locking",
                "MessageSignatures", "Timing",
            ]
        ),
        target(
            "AttestationAuthority",
            [
                "AppAttestation", "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Locking",
                "Timing",
            ]
        ),
        target("EmbeddedAttestation", ["AttestationAuthority", "Cryptography", "Locking", "Protection"]),
        target(
            "ProtectionCommands",
            [
                "AWSSigning", "AppAttestation", "AttestationAuthority", "CGetopt", "Cryptography",
                "EmbeddedAttestation", "Encodings", "FileStorage", "HTTPInterceptors", "HTTPMessages",
                "HTTPTransport", "InstallationKeys",
                "JSONWebTokens", "Locking", "MessageSignatures", "Protection", "StructuredFields", "Timing",
            ]
        ),
        .executableTarget(
            name: "ProtectionTool",
            dependencies: ["ProtectionCommands"],
            swiftSettings: strict
        ),

        // Samples.
        sample(
            "QuickStart",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "Encodings", "HTTPMessages",
                "HTTPServing", "HTTPTransport", "JSONWebTokens", "Locking", "Protection",
                "RequestVerification", "Timing",
            ]
        ),
        sample(
            "AttestedClient",
            [
                "AppAttestation", "AppAttestationClient", "AttestationAuthority", "Encodings",
                "HTTPInterceptors", "HTTPMessages", "HTTPServing", "HTTPTransport", "Locking",
                "RequestVerification",
            ]
        ),
        sample("EmptyConfig", ["HTTPMessages", "Protection", "ProtectionTesting"]),
        sample(
            "MessageSigning",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "HTTPMessages", "HTTPServing",
                "HTTPTransport", "JSONWebTokens", "Locking", "MessageSignatures", "Protection",
                "RequestVerification",
            ]
        ),
        sample(
            "PolicyMutator",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "Encodings", "HTTPMessages",
                "HTTPServing",
                "HTTPTransport", "JSONWebTokens", "Locking", "Protection", "RequestVerification", "Timing",
            ]
        ),

        sample(
            "APIDemo",
            [
                "APIClient", "Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPServing",
                "HTTPTransport", "Locking", "Timing",
            ]
        ),

        // Tests.
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: ["Cryptography", "Locking"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        test("LockingTests"),
        test("EncodingsTests", ["Encodings"]),
        test("FileStorageTests", ["FileStorage"]),
        test("HTTPMessagesTests", ["HTTPMessages"]),
        test("StructuredFieldsTests", ["Encodings", "StructuredFields"]),
        test("CryptographyTests", ["Cryptography", "Encodings"]),
        test(
            "HardwareKeysTests",
            [
                "AppAttestation", "AppAttestationClient", "Cryptography", "Encodings", "HTTPMessages",
                "HTTPTransport", "InstallationKeys", "MessageSignatures", "Protection",
            ]
        ),
        test("InstallationKeysTests", ["Cryptography", "FileStorage", "InstallationKeys"]),
        test("JSONWebTokensTests", ["Cryptography", "Encodings", "JSONWebTokens"]),
        test(
            "MessageSignaturesTests",
            ["Cryptography", "Encodings", "HTTPMessages", "MessageSignatures", "StructuredFields"]
        ),
        test(
            "AWSSigningTests",
            [
                "AWSSigning", "Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages",
                "HTTPServing", "HTTPTransport", "ProtectionTesting", "Timing",
            ]
        ),
        test(
            "AWSServerTests",
            ["AWSSigning", "Cryptography", "Encodings", "HTTPMessages", "HTTPTransport"]
        ),
        test(
            "AppAttestationTests",
            ["AppAttestation", "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "Timing"]
        ),
        .executableTarget(
            name: "AttestationClientPeer",
            dependencies: ["AppAttestationClient", "Encodings", "HTTPMessages", "HTTPTransport"],
            path: "Tests/AttestationClientPeer",
            swiftSettings: strict
        ),
        test(
            "AppAttestationClientTests",
            [
                "AppAttestation", "AppAttestationClient", "AttestationClientPeer", "Cryptography",
                "Encodings",
                "HTTPMessages", "HTTPServing", "ProtectionTesting", "Timing",
            ]
        ),
        test(
            "AttestedRequestTests",
            [
                "AppAttestation", "AppAttestationClient", "AttestationAuthority", "Cryptography", "Encodings",
                "HTTPMessages", "HTTPServing", "HTTPTransport", "ProtectionTesting", "RequestVerification",
                "Timing",
            ]
        ),
        test("HTTPInterceptorsTests", ["HTTPInterceptors", "HTTPMessages", "Timing"]),
        test(
            "HTTPTransportTests",
            ["Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPServing", "HTTPTransport"]
        ),
        test(
            "ServerTests",
            ["Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPTransport"]
        ),
        test("HTTPServingTests", ["HTTPMessages", "HTTPServing"]),
        test(
            "ProtectionTests",
            [
                "Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPServing",
                "HTTPTransport", "JSONWebTokens", "MessageSignatures", "Protection", "ProtectionTesting",
                "StructuredFields", "Timing",
            ]
        ),
        test(
            "APIClientTests",
            [
                "APIClient", "Cryptography", "Encodings", "HTTPInterceptors", "HTTPMessages", "HTTPServing",
                "HTTPTransport", "JSONWebTokens", "Protection", "ProtectionTesting", "Timing",
            ]
        ),
        test(
            "ProtectionFoundationTests",
            [
                "HTTPMessages", "HTTPServing", "HTTPTransport", "Protection", "ProtectionFoundation",
                "ProtectionTesting",
            ]
        ),
        test(
            "RequestVerificationTests",
            [
                "Cryptography", "Encodings", "HTTPMessages", "JSONWebTokens", "MessageSignatures",
                "ProtectionTesting", "RequestVerification", "StructuredFields", "Timing",
            ]
        ),
        test(
            "AttestationAuthorityTests",
            [
                "AttestationAuthority", "Cryptography", "Encodings", "HTTPMessages", "InstallationKeys",
                "JSONWebTokens", "ProtectionTesting", "Timing",
            ]
        ),
        test(
            "EmbeddedAttestationTests",
            [
                "AttestationAuthority", "Cryptography", "EmbeddedAttestation", "Encodings", "HTTPMessages",
                "JSONWebTokens", "MessageSignatures", "Protection", "ProtectionTesting",
                "RequestVerification",
            ]
        ),
        test(
            "ProtectionToolTests",
            [
                "AppAttestation", "AppAttestationClient", "Cryptography", "Encodings", "HTTPMessages",
                "HTTPServing", "HTTPTransport",
                "JSONWebTokens", "MessageSignatures", "Protection", "ProtectionCommands",
                "ProtectionTesting", "ProtectionTool", "RequestVerification", "StructuredFields", "Timing",
            ]
        ),
        test(
            "DocumentationTests",
            [
                "APIClient", "APIDemo", "AWSSigning", "AppAttestation", "AppAttestationClient",
                "AttestationAuthority", "AttestedClient", "EmbeddedAttestation", "EmptyConfig",
                "HTTPInterceptors",
                "InstallationKeys", "MessageSignatures", "MessageSigning", "PolicyMutator",
                "ProtectionFoundation", "ProtectionTesting", "QuickStart", "RequestVerification",
                "StructuredFields",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
