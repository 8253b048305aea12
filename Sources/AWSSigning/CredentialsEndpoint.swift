internal import Cryptography
internal import Encodings
internal import FoundationEssentials
internal import HTTPMessages

/// One exchange with a source of credentials, and the reading of its JSON.
enum CredentialsEndpoint {
    private static let longestAnswer = 256 << 10

    /// Sends a request and gives a response that is not absurdly long.
    ///
    /// - Throws: ``AWSSigningError`` with code `endpointFailed`, `invalidResponse` or `invalidURL`;
    ///   `CancellationError`.
    static func send(
        _ method: HTTPMethod = .get,
        _ url: String,
        fields: [(HTTPField.Name, String)] = [],
        body: HTTPBody? = nil,
        timeout: Duration,
        through session: any HTTPSession
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: method,
            target: try AWSSigningError.message(.invalidURL, "the endpoint is not a URL that can be sent") {
                () throws(HTTPMessageError) in try RequestTarget(url)
            },
            body: body
        )
        // Link-local services have no certificate, and those with one are not the app's own.
        request.options = HTTPRequestOptions(timeout: timeout, isPinned: false)
        for (name, value) in fields { request.fields.append(try RequestSigner.field(name, value)) }
        let response: HTTPResponse
        do {
            response = try await session.data(for: request)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw AWSSigningError(
                .endpointFailed,
                "there is no answer from the source of credentials",
                underlying: error
            )
        }
        guard response.body.count <= longestAnswer else {
            throw AWSSigningError(.invalidResponse, "the answer of the source of credentials is too long")
        }
        return response
    }

    /// An error for a status that says no.
    static func refusal(_ response: HTTPResponse) -> AWSSigningError {
        AWSSigningError(
            .endpointFailed,
            "the source of credentials answers with status \(response.status.code)"
        )
    }

    /// The credentials in the JSON that containers and instances answer with.
    ///
    /// - Throws: ``AWSSigningError`` with code `invalidResponse`, or `invalidCredentials`.
    static func credentials(fromJSON octets: [UInt8]) throws(AWSSigningError) -> AWSCredentials {
        guard let object = (try? JSONValue(parsing: octets))?.object else {
            throw AWSSigningError(.invalidResponse, "the answer is not a JSON object")
        }
        if let code = object["Code"], code.string != "Success" {
            throw AWSSigningError(.endpointFailed, "the source of credentials reports a failure")
        }
        guard let accessKeyID = object["AccessKeyId"]?.string, let secret = object["SecretAccessKey"]?.string,
            let token = object["Token"]?.string, let expiration = object["Expiration"]?.string,
            let date = TimestampReader.date(fromISO8601: expiration)
        else {
            throw AWSSigningError(.invalidResponse, "the answer lacks a part of the credentials")
        }
        return try AWSCredentials(
            accessKeyID: accessKeyID,
            secretAccessKey: SecretBytes(Array(secret.utf8)),
            sessionToken: token,
            expiration: date
        )
    }
}
