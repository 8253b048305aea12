import AWSSigning
import Encodings
import FoundationEssentials
import HTTPMessages
import Timing

/// `aws sign` and `aws presign`.
enum AWSCommand {
    /// What a signature sets; what an earlier one has set is dropped.
    private static let signatureFields: Set = [
        "authorization", "x-amz-content-sha256", "x-amz-date", "x-amz-region-set", "x-amz-security-token",
    ]

    static func run(_ invocation: Invocation, isPresigning: Bool) async throws {
        let arguments = invocation.arguments
        let settings = try AWSSettings(invocation)
        let seconds = try arguments.integer("expires", in: 1...604_800) ?? 3_600
        let date = try arguments.date("at") ?? invocation.time.secondsSince1970
        let profile = try settings.serviceProfile()
        let credentials = try await settings.credentials()
        let file = try MessageFile(invocation, authority: settings.account?.authority)
        let request = try file.request()
        try settings.account?.check(request.target)
        let signer = RequestSigner(profile)
        let moment = Date(timeIntervalSince1970: Double(date))
        let payload: Payload? = arguments.has("unsigned-payload") ? .unsigned : nil
        let signed =
            isPresigning
            ? try signer.presign(
                request,
                with: credentials,
                expiresIn: .seconds(seconds),
                payload: payload,
                at: moment
            ) : try signer.sign(request, with: credentials, payload: payload ?? .body, at: moment)
        try write(signed, isPresigned: isPresigning, to: file, invocation)
    }

    private static func write(
        _ signed: SignedRequest,
        isPresigned: Bool,
        to file: MessageFile,
        _ invocation: Invocation
    ) throws {
        let console = invocation.console
        let added = signed.request.fields.filter { signatureFields.contains($0.name.canonicalName) }
            .map { AddedField(name: $0.name.rawName, value: $0.value) }
        let canonicalRequest = signed.canonicalRequest.redacted
        let stringToSign = signed.stringToSign.text
        let url = signed.request.target.absoluteString
        if console.isJSON {
            var answer: JSONObject = JSONObject()
            if isPresigned {
                answer["url"] = .string(url)
            } else {
                answer["fields"] = .array(added.map(\.json))
            }
            if invocation.arguments.has("verbose") {
                answer["canonicalRequest"] = .string(canonicalRequest)
                answer["stringToSign"] = .string(stringToSign)
            }
            return try console.write(.object(answer))
        }
        if invocation.arguments.has("verbose") {
            console.note("* canonical request:\n\(canonicalRequest)\n* string to sign:\n\(stringToSign)")
        }
        if invocation.arguments.has("url") { return try console.write(url) }
        if invocation.arguments.has("fields") {
            return try console.write(added.map(\.text).joined(separator: "\n"))
        }
        try console.write(
            octets: file.replacing(
                target: isPresigned ? signed.request.target : nil,
                dropping: signatureFields,
                adding: added
            )
        )
    }
}
