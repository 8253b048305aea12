import AWSSigning
import Cryptography
import Encodings
import FoundationEssentials
import HTTPMessages
import Testing

/// The examples in the documentation of Amazon S3 and IAM; the values are published.
@Suite("Published examples") struct ExampleTests {
    struct Header: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPMethod
        let url: String
        var fields: [(String, String)] = []
        var body: String?
        let canonicalHash: String
        let signature: String
    }

    static let headers = [
        Header(
            testDescription: "GET Object",
            method: .get,
            url: "https://examplebucket.s3.amazonaws.com/test.txt",
            fields: [("Range", "bytes=0-9")],
            canonicalHash: "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        Header(
            testDescription: "PUT Object",
            method: .put,
            url: "https://examplebucket.s3.amazonaws.com/test$file.text",
            fields: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            body: "Welcome to Amazon S3.",
            canonicalHash: "9e0e90d9c76de8fa5b200d8c849cd5b8dc7a3be3951ddb7f6a76b4158342019d",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        Header(
            testDescription: "GET Bucket Lifecycle",
            method: .get,
            url: "https://examplebucket.s3.amazonaws.com/?lifecycle",
            canonicalHash: "9766c798316ff2757b517bc739a67f6213b4ab36dd5da2f94eaebf79c77395ca",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        ),
        Header(
            testDescription: "List Objects",
            method: .get,
            url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J",
            canonicalHash: "df57d21db20da04d7fa30298dd4488ba3a2b47ca3a489c74750e0f1e7df1b9b7",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        ),
    ]

    @Test(arguments: headers) func s3Header(_ example: Header) throws {
        let request = try HTTPRequest(example.method, example.url, example.fields, body: example.body)
        let signed = try Example.s3Signer().sign(request, with: Example.credentials())
        #expect(
            Hex.encode(try HashAlgorithm.sha256.hash(signed.canonicalRequest.bytes)) == example.canonicalHash
        )
        #expect(signed.signature == example.signature)
    }

    @Test func s3Presigned() throws {
        let signed = try Example.s3Signer().presign(
            HTTPRequest(.get, "https://examplebucket.s3.amazonaws.com/test.txt"),
            with: Example.credentials(),
            expiresIn: .seconds(86_400)
        )
        #expect(signed.signature == "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
        #expect(signed.request.fields.isEmpty)
    }

    @Test func iam() throws {
        let signed = try RequestSigner(ServiceProfile(service: "iam", region: "us-east-1")).sign(
            HTTPRequest(
                .get,
                "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
                [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")]
            ),
            with: Example.suiteCredentials(),
            at: Example.suiteDate
        )
        #expect(signed.signature == "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")
    }

    static let chunkFields = [
        ("x-amz-storage-class", "REDUCED_REDUNDANCY"), ("Content-Encoding", "aws-chunked"),
    ]

    @Test func signedChunks() throws {
        let payload = Payload.signedChunks(length: 66_560)
        let length = try #require(ChunkSigner.encodedLength(of: payload, chunkSize: 65_536))
        let signed = try Example.s3Signer().sign(
            HTTPRequest(
                .put,
                "https://s3.amazonaws.com/examplebucket/chunkObject.txt",
                Self.chunkFields + [("Content-Length", String(length))]
            ),
            with: Example.credentials(),
            payload: payload
        )
        #expect(length == 66_824)
        #expect(signed.signature == "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9")
        var chunks = try ChunkSigner(signed)
        var wire = try chunks.chunk([UInt8](repeating: UInt8(ascii: "a"), count: 65_536))
        #expect(chunks.lastSignature == "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648")
        #expect(wire.starts(with: "10000;chunk-signature=ad80c730".utf8))
        wire += try chunks.chunk([UInt8](repeating: UInt8(ascii: "a"), count: 1_024))
        #expect(chunks.lastSignature == "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497")
        let end = try chunks.finish()
        #expect(chunks.lastSignature == "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9")
        #expect(String(decoding: end, as: UTF8.self) == "0;chunk-signature=\(chunks.lastSignature)\r\n\r\n")
        #expect(wire.count + end.count == length)
    }

    @Test func signedChunksWithTrailer() throws {
        let payload = Payload.signedChunks(length: 66_560, trailers: ["x-amz-checksum-crc32c"])
        let signed = try Example.s3Signer().sign(
            HTTPRequest(.put, "https://s3.amazonaws.com/examplebucket/chunkObject.txt", Self.chunkFields),
            with: Example.credentials(),
            payload: payload
        )
        #expect(signed.signature == "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e")
        var chunks = try ChunkSigner(signed)
        var count = try chunks.chunk([UInt8](repeating: UInt8(ascii: "a"), count: 65_536)).count
        #expect(chunks.lastSignature == "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2")
        count += try chunks.chunk([UInt8](repeating: UInt8(ascii: "a"), count: 1_024)).count
        #expect(chunks.lastSignature == "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7")
        let trailers = HTTPFields([try HTTPField("X-Amz-Checksum-Crc32c", "sOO8/Q==")])
        let end = try chunks.finish(trailers: trailers)
        #expect(chunks.lastSignature == "d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435")
        let text = """
            0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r
            x-amz-checksum-crc32c:sOO8/Q==\r
            x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r
            \r

            """
        #expect(String(decoding: end, as: UTF8.self) == text)
        #expect(
            ChunkSigner.encodedLength(of: payload, chunkSize: 65_536, trailers: trailers) == count + end.count
        )
    }

    /// The example policy, with the line ends that its published Base 64 has.
    @Test func postPolicy() throws {
        let lines = [
            #"{ "expiration": "2015-12-30T12:00:00.000Z","#, #"  "conditions": ["#,
            #"    {"bucket": "sigv4examplebucket"},"#, #"    ["starts-with", "$key", "user/user1/"],"#,
            #"    {"acl": "public-read"},"#,
            #"    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},"#,
            #"    ["starts-with", "$Content-Type", "image/"],"#,
            #"    {"x-amz-meta-uuid": "14365123651274"},"#,
            #"    {"x-amz-server-side-encryption": "AES256"},"#,
            #"    ["starts-with", "$x-amz-meta-tag", ""],"#, "",
            #"    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},"#,
            #"    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},"#, #"    {"x-amz-date": "20151229T000000Z" }"#,
            "  ]", "}",
        ]
        let signed = try Example.s3Signer().sign(
            policyDocument: Array(lines.joined(separator: "\r\n").utf8),
            with: Example.credentials(),
            at: Date(timeIntervalSince1970: 1_451_347_200)
        )
        #expect(signed.signature == "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e")
        #expect(
            signed.fields.map(\.name) == [
                "x-amz-algorithm", "x-amz-credential", "x-amz-date", "policy", "x-amz-signature",
            ]
        )
        #expect(signed.fields[2].value == "20151229T000000Z")
    }
}
