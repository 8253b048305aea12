import FoundationEssentials
import HTTPMessages
import Protection
import TestVectors
import Testing

/// What the default mutator decides for every status at every decision point.
@Suite(.enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence)))
struct DefaultDecisionTests {
    struct Vectors: Decodable, Sendable {
        var cases: [Case] = []
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let operation: String
        let status: String
        let outcome: String
        let error: String?
        let retryable: Bool?

        var testDescription: String { "\(operation) \(status)" }
    }

    static let cases: [Case] =
        (try? ConformanceData.decode(
            Vectors.self,
            from: "approov/default-decisions.json",
            absent: Vectors()
        ))?.cases ?? []

    @Test func allAreThere() { #expect(Self.cases.count == 105) }

    @Test(arguments: cases) func decides(vector: Case) async throws {
        let status = try #require(FetchStatus.allCases.first { "\($0)" == vector.status })
        let result = FetchResult(
            status: status,
            token: "secret-token",
            secureString: "secret-string",
            arc: "ARC-1",
            rejectionReasons: "reason-1"
        )
        let outcome: String
        do {
            outcome = try await Self.decide(vector.operation, result)
        } catch let error as ProtectionError {
            #expect(vector.outcome == "throw")
            #expect(error.code.description == vector.error)
            #expect(error.isRetryable == (vector.retryable ?? false))
            #expect(error.message.contains(status.rawValue))
            #expect(error.message.contains(Self.subject(of: vector.operation)))
            #expect(!"\(error)".contains("secret"))
            if error.code == .rejection {
                #expect(error.arc == "ARC-1" && error.rejectionReasons == "reason-1")
            }
            return
        }
        #expect(outcome == vector.outcome)
    }

    private static func decide(_ operation: String, _ result: FetchResult) async throws -> String {
        let mutator = DefaultServiceMutator()
        let url = try RequestTarget("https://example.com/path?key=secret")
        switch operation {
        case "precheck": try await mutator.precheckResult(result)
        case "fetchToken": try await mutator.fetchTokenResult(result, for: url)
        case "fetchSecureString": try await mutator.fetchSecureStringResult(result, for: "string-key")
        case "fetchCustomJWT": try await mutator.fetchCustomJWTResult(result)
        case "interceptorFetchToken":
            return "\(try await mutator.interceptorFetchTokenResult(result, for: url))"
        case "headerSubstitution":
            return "\(try await mutator.headerSubstitutionResult(result, for: "Api-Key"))"
        case "queryParameterSubstitution":
            return "\(try await mutator.queryParameterSubstitutionResult(result, for: "query-key"))"
        default: Issue.record("an operation that is not known: \(operation)")
        }
        return "return"
    }

    /// What the message must name besides the status.
    private static func subject(of operation: String) -> String {
        switch operation {
        case "precheck": "precheck"
        case "fetchToken": "fetchToken for https://example.com/path"
        case "fetchSecureString": "string-key"
        case "fetchCustomJWT": "fetchCustomJWT"
        case "interceptorFetchToken": "https://example.com/path"
        case "headerSubstitution": "Api-Key"
        default: "query-key"
        }
    }
}
