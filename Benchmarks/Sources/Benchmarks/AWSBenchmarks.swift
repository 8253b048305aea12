import AWSSigning
import Cryptography
import Foundation
import HTTPMessages
import OpenSSLFloor

/// What it costs to sign a request for AWS in its header, against the bare SHA-256 and HMAC of the same text.
///
/// The key of the day is there already, for us and for the bare work; the request has no content, whose hash is known.
enum AWSBenchmarks {
    static let all: [Benchmark] = [
        Benchmark(name: "sigv4", note: PythonPeer.note) { _ in
            let credentials = try AWSCredentials(
                accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: SecretBytes(Array(secret.utf8))
            )
            let signer = RequestSigner(try .s3(region: region))
            let request = try sample()
            let date = Date.now
            let signed = try signer.sign(request, with: credentials, at: date)
            let (canonical, text) = (signed.canonicalRequest.bytes, signed.stringToSign.bytes)
            let secret = try dayKey(scope: signed.stringToSign.scope)
            let key = try HMACKey(SecretBytes(secret), .sha256)
            let code = try key.authenticationCode(for: text)
            guard signed.signature == hex(code) else {
                throw BenchmarkError("the bare signature is another one")
            }
            let ours = Contender("RequestSigner.sign") {
                _ = try signer.sign(request, with: credentials, at: date)
            }
            let bare = Contender("SHA-256 and HMACKey") {
                _ = try HashAlgorithm.sha256.hash(canonical)
                _ = try key.authenticationCode(for: text)
            }
            let floor = Contender(name: "SHA256 and HMAC in C") { operations in
                let time = unsafe sigv4_floor_run(
                    secret,
                    secret.count,
                    canonical,
                    canonical.count,
                    text,
                    text.count,
                    code,
                    code.count,
                    UInt64(operations)
                )
                guard time > 0 else { throw BenchmarkError("the signature cannot be made in C") }
                return .nanoseconds(Int64(time))
            }
            return try [ours, floor, bare]
                + peers(request, date: date, authorization: signed.request.fields[.authorization])
        }
    ]

    private static let region = "eu-west-1"
    /// A value for the benchmark alone, which opens nothing.
    private static let secret = String(repeating: "s", count: 40)

    private static func sample() throws -> HTTPRequest {
        var request = try HTTPRequest(
            url: "https://s3.eu-west-1.amazonaws.com/bucket/2026/a%20summer/beach.jpg"
        )
        try request.fields.set("image/jpeg", for: .contentType)
        try request.fields.set("bytes=0-1023", for: "Range")
        try request.fields.set("no-cache", for: "Cache-Control")
        try request.fields.set("requester", for: "x-amz-request-payer")
        return request
    }

    private static func dayKey(scope: String) throws -> [UInt8] {
        var secret = Array("AWS4\(secret)".utf8)
        for part in scope.split(separator: "/") {
            secret = try HMACKey(SecretBytes(secret), .sha256).authenticationCode(for: Array(part.utf8))
        }
        return secret
    }

    private static func hex(_ octets: [UInt8]) -> String {
        octets.map { String(format: "%02x", $0) }.joined()
    }

    /// Both packages, once they have made the same signature as we.
    private static func peers(
        _ request: HTTPRequest,
        date: Date,
        authorization: String?
    ) throws -> [Contender] {
        guard PythonPeer.isPresent else { return [] }
        var question: [String: any Sendable] = [
            "form": "header", "isObjectStore": true, "service": "s3", "region": region, "unsigned": false,
            "id": "AKIDEXAMPLE", "secret": secret, "method": request.method.rawValue, "body": "",
            "url": request.target.absoluteString, "date": Int(date.timeIntervalSince1970),
            "fields": request.fields.map { [$0.name.rawName, $0.value] },
        ]
        return try [("sign", "time_botocore", "botocore"), ("time_awscrt", "time_awscrt", "awscrt")].map {
            check,
            work,
            name in
            let peer = try PythonPeer("sigv4")
            question["ask"] = check
            question["times"] = 1
            guard try peer.ask(question)["authorization"] as? String == authorization else {
                throw BenchmarkError("\(name) makes another signature")
            }
            question["ask"] = work
            return peer.contender(question, name: name)
        }
    }
}
