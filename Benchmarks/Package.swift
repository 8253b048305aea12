// swift-tools-version: 6.3
import PackageDescription

/// The rules of the package that is measured.
let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-protection") }

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "swift-protection", path: "../")],
    targets: [
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "CurlMultiFloor", "OpenSSLFloor", "StaticServer", product("AWSSigning"),
                product("AppAttestation"), product("AppAttestationClient"), product("Cryptography"),
                product("HTTPMessages"), product("HTTPTransport"), product("JSONWebTokens"),
                product("MessageSignatures"),
                product("Protection"), product("ProtectionTesting"), product("StructuredFields"),
            ],
            swiftSettings: strict
        ),
        .target(name: "CurlMultiFloor", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "OpenSSLFloor", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "StaticServer", linkerSettings: [.linkedLibrary("microhttpd")]),
        .executableTarget(name: "curl-multi-floor", dependencies: ["CurlMultiFloor"]),
    ],
    swiftLanguageModes: [.v6]
)
