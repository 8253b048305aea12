import AWSSigning
import Encodings
import HTTPMessages
import TestVectors
import Testing

/// What the suite of AWS leaves out, as another signer writes it.
struct GapVector: Sendable, CustomTestStringConvertible {
    let members: JSONObject

    var testDescription: String { text("name") ?? "" }

    func text(_ name: String) -> String? { members[name]?.string }

    static let all: [GapVector] = {
        let bytes = (try? ConformanceData.bytes("sigv4/botocore-gap-vectors.json")).map { [UInt8]($0) } ?? []
        return (try? JSONValue(parsing: bytes).array)?.compactMap { $0.object.map(GapVector.init) } ?? []
    }()

    func profile() throws -> ServiceProfile {
        let region = try #require(text("region"))
        let service = try #require(text("service"))
        if region == "auto" { return .r2 }
        return try service == "s3" ? .s3(region: region) : ServiceProfile(service: service, region: region)
    }

    func request() throws -> HTTPRequest {
        var request = try HTTPRequest(
            method: HTTPMethod(try #require(text("method"))),
            url: try #require(text("url")),
            body: text("body").flatMap { $0.isEmpty ? nil : HTTPBody($0) }
        )
        for member in try #require(members["headers"]?.object).members {
            let value = try #require(member.value.string)
            // Blanks around a value are not part of it (RFC 9110, section 5.5), and a field holds none.
            let trimmed = String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            try request.fields.append(trimmed, for: HTTPField.Name(member.name))
        }
        return request
    }
}

@Suite(
    "Vectors of another signer",
    .enabled(if: ConformanceData.isPresent, Comment(rawValue: ConformanceData.absence))
)
struct GapTests {
    @Test func theFileIsWhole() { #expect(GapVector.all.count == 19) }

    @Test(arguments: GapVector.all) func signed(_ vector: GapVector) throws {
        let signer = RequestSigner(try vector.profile())
        let credentials = try Example.credentials(token: vector.text("token"))
        if let seconds = vector.members["expires"]?.integer {
            let signed = try signer.presign(
                vector.request(),
                with: credentials,
                expiresIn: .seconds(seconds),
                at: Example.date
            )
            #expect(signed.canonicalRequest.text == vector.text("canonical_request"))
            let expected = try RequestTarget(try #require(vector.text("signed_url")))
            // The order of the parameters is each signer's own.
            #expect(
                signed.request.target.query?.split(separator: "&").sorted()
                    == expected.query?.split(separator: "&").sorted()
            )
            #expect(signed.request.target.path == expected.path)
        } else {
            let signed = try signer.sign(vector.request(), with: credentials, at: Example.date)
            #expect(signed.canonicalRequest.text == vector.text("canonical_request"))
            #expect(signed.request[.authorization] == vector.text("authorization"))
            for member in try #require(vector.members["sent_headers"]?.object).members {
                #expect(signed.request[try HTTPField.Name(member.name)] == member.value.string)
            }
        }
    }
}
