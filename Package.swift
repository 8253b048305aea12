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

func test(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestVectors"], swiftSettings: strict)
}

let package = Package(
    name: "swift-protection",
    products: [
        .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
        .library(name: "HTTPServing", targets: ["HTTPServing"]),
        .library(name: "HTTPTransport", targets: ["HTTPTransport"]),
    ],
    targets: [
        // C libraries, each imported by one Swift target only.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

        // Layers; arrows point down.
        target("Encodings"),
        target("HTTPMessages"),
        target("HTTPServing", ["HTTPMessages", "CMicroHTTPD"]),
        target("HTTPTransport", ["HTTPMessages", "CCurl"]),

        // Tests.
        .target(name: "TestVectors", path: "Tests/TestVectors", swiftSettings: strict),
        test("EncodingsTests", ["Encodings"]),
        test("HTTPMessagesTests", ["HTTPMessages"]),
        test("HTTPServingTests", ["HTTPServing", "HTTPMessages"]),
        test("HTTPTransportTests", ["HTTPTransport", "HTTPServing", "HTTPMessages"]),
    ],
    swiftLanguageModes: [.v6]
)
