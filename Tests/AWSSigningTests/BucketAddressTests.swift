import AWSSigning
import HTTPMessages
import Testing

@Suite("Addresses of objects") struct BucketAddressTests {
    @Test(arguments: [
        ("photos/vacation.jpg", "photos/vacation.jpg"), ("a b", "a%20b"), ("a+b", "a%2Bb"),
        ("100%", "100%25"),
        ("a%2Fb", "a%252Fb"), ("/leading", "/leading"), ("//", "//"), ("a//b/", "a//b/"), (".", "."),
        ("a/../b", "a/../b"), ("./", "./"), ("\u{1234}/\u{E9}", "%E1%88%B4/%C3%A9"), ("e\u{301}", "e%CC%81"),
        ("?#[]", "%3F%23%5B%5D"), ("a\nb", "a%0Ab"), ("\u{0}", "%00"), ("\\", "%5C"), ("~-_.", "~-_."),
        ("!*'();:@&=+$,", "%21%2A%27%28%29%3B%3A%40%26%3D%2B%24%2C"), ("\u{1F600}", "%F0%9F%98%80"),
        (String(repeating: "k", count: 1_024), String(repeating: "k", count: 1_024)),
    ])
    func keys(key: String, encoded: String) throws {
        for style in [BucketAddress.Style.path, .virtualHost] {
            let address = try BucketAddress(
                endpoint: "https://s3.example.com",
                bucket: "bucket",
                style: style
            )
            let target = try address.url(forKey: key)
            #expect(target.path == (style == .path ? "/bucket/" : "/") + encoded)
            #expect(target.query == nil)
            let signed = try Example.s3Signer().sign(
                HTTPRequest(target: target),
                with: Example.credentials()
            )
            // What is sent is already the canonical form.
            #expect(signed.canonicalRequest.text.hasPrefix("GET\n\(target.path)\n\n"))
        }
    }

    @Test func r2() throws {
        let path = try BucketAddress.r2(account: "acct", bucket: "bucket")
        #expect(
            try path.url(forKey: "key").absoluteString == "https://acct.r2.cloudflarestorage.com/bucket/key"
        )
        #expect(try path.url().absoluteString == "https://acct.r2.cloudflarestorage.com/bucket")
        let host = try BucketAddress.r2(account: "acct", bucket: "bucket", style: .virtualHost)
        #expect(
            try host.url(forKey: "key").absoluteString == "https://bucket.acct.r2.cloudflarestorage.com/key"
        )
        #expect(try host.url().absoluteString == "https://bucket.acct.r2.cloudflarestorage.com/")
        let held = try BucketAddress.r2(account: "acct", bucket: "bucket", jurisdiction: "eu")
        #expect(
            try held.url(forKey: "k").absoluteString == "https://acct.eu.r2.cloudflarestorage.com/bucket/k"
        )
    }

    @Test(arguments: [
        ("us-east-1", "https://bucket.s3.us-east-1.amazonaws.com/k"),
        ("cn-north-1", "https://bucket.s3.cn-north-1.amazonaws.com.cn/k"),
    ])
    func s3(region: String, url: String) throws {
        #expect(try BucketAddress.s3(bucket: "bucket", region: region).url(forKey: "k").absoluteString == url)
    }

    @Test func queries() throws {
        let address = try BucketAddress(endpoint: "http://localhost:9000", bucket: "bucket")
        #expect(
            try address.url(query: ["list-type": "2", "prefix": "a b+c/", "acl": nil]).absoluteString
                == "http://localhost:9000/bucket?list-type=2&prefix=a%20b%2Bc%2F&acl"
        )
        #expect(
            try address.url(forKey: "k", query: ["partNumber": "1", "partNumber": "2"]).query
                == "partNumber=1&partNumber=2"
        )
    }

    @Test(arguments: [
        ("", BucketAddress.Style.path), ("ab", .path), (String(repeating: "b", count: 64), .path),
        ("a/b", .path), ("..", .path), ("...", .path), ("-ab", .path), ("ab-", .path), ("a b", .path),
        ("a?b", .path), ("b\u{E9}b", .path), ("a.b.c", .virtualHost), ("Abc", .virtualHost),
        ("a_b", .virtualHost), ("-abc", .virtualHost), ("a/b", .virtualHost), ("a@b", .virtualHost),
    ])
    func bucketsThatCannotBe(name: String, style: BucketAddress.Style) throws {
        let error = try #require(throws: AWSSigningError.self) {
            try BucketAddress(endpoint: "https://s3.example.com", bucket: name, style: style)
        }
        #expect(error.code == .invalidBucket)
    }

    @Test(arguments: ["abc", "a.b.c", "Old_Bucket", String(repeating: "b", count: 63)])
    func bucketsInThePath(name: String) throws {
        #expect(try BucketAddress(endpoint: "https://s3.example.com", bucket: name).bucket == name)
    }

    @Test(arguments: [
        "", "s3.example.com", "ftp://s3.example.com", "https://s3.example.com/base",
        "https://s3.example.com/?a",
        "https://user@s3.example.com",
    ])
    func endpointsThatCannotBe(url: String) throws {
        let error = try #require(throws: AWSSigningError.self) {
            try BucketAddress(endpoint: url, bucket: "bucket")
        }
        #expect(error.code == .invalidURL)
    }

    @Test(arguments: ["", String(repeating: "k", count: 1_025), String(repeating: "\u{E9}", count: 513)])
    func keysThatCannotBe(key: String) throws {
        let address = try BucketAddress.r2(account: "acct", bucket: "bucket")
        let error = try #require(throws: AWSSigningError.self) { try address.url(forKey: key) }
        #expect(error.code == .invalidObjectKey)
    }

    @Test(arguments: ["", "a.b", "a/b", "acct@evil", "ACCT", "a:1", "-a"]) func accountsThatCannotBe(
        name: String
    ) throws {
        let error = try #require(throws: AWSSigningError.self) {
            try BucketAddress.r2(account: name, bucket: "bucket")
        }
        #expect(error.code == .invalidURL)
    }

    @Test func regionsThatCannotBe() throws {
        let error = try #require(throws: AWSSigningError.self) {
            try BucketAddress.s3(bucket: "bucket", region: "evil.com/")
        }
        #expect(error.code == .invalidRegion)
    }
}
