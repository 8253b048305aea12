import APIClient
import Cryptography
import Encodings
import FoundationEssentials
import HTTPInterceptors
import HTTPMessages
import HTTPTransport

struct Shape: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct Sides: Decodable, Sendable {
    var items: [Int]
    var next: String?
}

/// Typed calls of an API on this machine, pinned to its key.
///
/// Each line says what was expected; the program ends with 0 only when all came true.
@main
struct APIDemo {
    private let backend: ShapesBackend
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "api-demo-\(UUID().uuidString)"
    )
    private var checks = Checks()

    static func main() async throws {
        var demo = try APIDemo(backend: ShapesBackend())
        try FileManager.default.createDirectory(
            at: demo.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            try await demo.calls()
            try await demo.pins()
            try await demo.errors()
            try await demo.pages()
            try await demo.repeatedOrder()
            try await demo.entityTags()
        } catch {
            demo.checks.check(false, "nothing fails that should not: \(error)")
        }
        try FileManager.default.removeItem(at: demo.folder)
        demo.checks.end()
    }

    private init(backend: ShapesBackend) {
        self.backend = backend
    }

    private func api(_ change: (inout API.Configuration) -> Void = { _ in }) throws -> API {
        var configuration = API.Configuration(baseURL: backend.url)
        configuration.transport.trustRoots = .pem(Array(backend.root.pem.utf8))
        configuration.sslPinning = .enabledWithKeyHashes([
            Base64.standard.encode(backend.root.subjectPublicKeyInfoSHA256)
        ])
        change(&configuration)
        return try API(configuration)
    }

    private mutating func calls() async throws {
        let name = "a/b"
        let shape: Shape = try await api().get("/shapes/\(name)")
        checks.check(
            shape == Shape(id: 3, name: name),
            "a value in a path stays one component: \(shape.name)"
        )
        let _: EmptyResponse = try await api().delete("/shapes/1")
        checks.check(true, "a response without content is a value too")
    }

    private mutating func pins() async throws {
        let file = folder.appending(path: "root.der")
        try Data(backend.root.der).write(to: file)
        let pinned = try api { $0.sslPinning = .enabledWithCertificateURLs([file]) }
        let shapes: [Shape] = try await pinned.get("/shapes")
        checks.check(shapes.count == 1, "a certificate in a file is a pin")

        let strange = Base64.standard.encode(try PrivateKey.generate(.p256).publicKey.spkiSHA256())
        let wrong = try api { $0.sslPinning = .enabledWithKeyHashes([strange]) }
        let error = await failure { let _: [Shape] = try await wrong.get("/shapes") }
        let host = error?.pinning?.host ?? "none"
        checks.check(error?.code == .pinning, "another key is refused, and nothing is sent: host \(host)")
    }

    private mutating func errors() async throws {
        let api = try api()
        let missing = await failure { let _: Shape = try await api.get("/shapes/9") }
        checks.check(
            missing?.code == .status && missing?.status?.problem?.extensions["sides"]?.integer == 7,
            "a problem is told apart: \(missing?.status?.code ?? 0), \(missing?.status?.problem?.title ?? "")"
        )
        let broken = await failure { let _: Shape = try await api.get("/broken") }
        checks.check(
            broken?.decoding?.path == ["id"] && broken?.decoding?.offset == 6,
            "a fault in a content has a place: \(broken.map(String.init(describing:)) ?? "none")"
        )
        let outside = await failure { let _: Shape = try await api.get("/../admin") }
        checks.check(outside?.code == .invalidURL, "a path that leaves the base is refused")
    }

    private mutating func pages() async throws {
        var names: [String] = []
        let shapes = try api().pages(of: [Shape].self, from: APIRequest(.get, "/shapes")).elements
        for try await shape in shapes { names.append(shape.name) }
        checks.check(names == ["circle", "square"], "linked pages: \(names.joined(separator: ", "))")

        var sides: [Int] = []
        let pages = try api().pages(of: Sides.self, from: APIRequest(.get, "/sides"), cursor: \.next)
        for try await number in pages.elements(\.items) { sides.append(number) }
        checks.check(sides == [3, 4, 5], "pages by cursor: \(sides)")
    }

    private mutating func repeatedOrder() async throws {
        let api = try api { $0.interceptors = [RetryInterceptor()] }
        let order: Shape = try await api.post(
            "/orders",
            parameters: Shape(id: 0, name: "circle"),
            idempotencyKey: .random()
        )
        checks.check(
            order.id == 1 && backend.orderCount == 1,
            "an order whose answer was lost is sent again and taken once"
        )
    }

    private mutating func entityTags() async throws {
        let file = folder.appending(path: "responses").path
        for _ in 0..<2 {
            // A cache of its own each time, as after a restart.
            let cache = try ResponseCache(file: file)
            let drawing: Shape = try await api { $0.cache = cache }.get("/drawing")
            checks.check(
                drawing.name == "drawing" && backend.contentCount == 1,
                "the drawing came whole once: \(backend.contentCount)"
            )
        }
    }

    private func failure(_ body: () async throws -> Void) async -> APIError? {
        do { try await body() } catch { return error as? APIError }
        return nil
    }
}
