import AWSSigning
import Encodings
import FoundationEssentials
import Testing

@Suite("Forms") struct PostPolicyTests {
    @Test func thePolicyRulesTheFieldsOfTheSignature() throws {
        let form = try Example.s3Signer().sign(
            PostPolicy(
                expiration: Example.date.addingTimeInterval(3_600),
                conditions: [
                    .equals(field: "bucket", value: "uploads"), .startsWith(field: "key", prefix: "u/1/"),
                    .contentLength(1...1_048_576),
                ]
            ),
            with: Example.credentials(token: "TOK")
        )
        let policy = String(decoding: try Base64.standard.decode(form.policy), as: UTF8.self)
        #expect(
            policy == #"{"expiration":"2013-05-24T01:00:00.000Z","conditions":["#
                + #"["eq","$bucket","uploads"],["starts-with","$key","u/1/"],["content-length-range",1,1048576],"#
                + #"["eq","$x-amz-algorithm","AWS4-HMAC-SHA256"],"#
                + #"["eq","$x-amz-credential","AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"],"#
                + #"["eq","$x-amz-date","20130524T000000Z"],["eq","$x-amz-security-token","TOK"]]}"#
        )
        #expect(
            form.fields.map(\.name) == [
                "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-security-token", "policy",
                "x-amz-signature",
            ]
        )
        let again = try Example.s3Signer().sign(
            policyDocument: Array(policy.utf8),
            with: Example.credentials(token: "TOK")
        )
        #expect(again.signature == form.signature)
    }
}
