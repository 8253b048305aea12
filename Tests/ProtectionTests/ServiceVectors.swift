import Encodings
import FoundationEssentials
import HTTPMessages
import Protection
import TestVectors

/// The whole-request cases of the public data, read with the package's own strict reader.
enum ServiceVectors {
    struct Case: Sendable, CustomStringConvertible {
        let name: String
        let json: JSONObject

        var description: String { name }
    }

    static func load(_ list: String) -> [Case] {
        guard let bytes = try? ConformanceData.bytes("approov/update-request.json"), !bytes.isEmpty,
            let object = (try? JSONValue(parsing: [UInt8](bytes)))?.object
        else { return [] }
        return (object[list]?.array ?? []).compactMap { value in
            guard let json = value.object, let name = json["name"]?.string else { return nil }
            return Case(name: name, json: json)
        }
    }

    static func status(_ name: String) -> FetchStatus? {
        FetchStatus.allCases.first { "\($0)" == name }
    }

    static func result(_ json: JSONObject) throws -> FetchResult {
        guard let status = status(json["status"]?.string ?? "") else { throw Unknown(what: "status") }
        return FetchResult(
            status: status,
            token: json["token"]?.string ?? "",
            secureString: json["secure_string"]?.string,
            arc: json["arc"]?.string,
            rejectionReasons: json["rejection_reasons"]?.string,
            traceID: json["trace_id"]?.string,
            loggableToken: json["loggable_token"]?.string,
            isConfigurationChanged: json["config_changed"]?.bool ?? false
        )
    }

    struct Unknown: Error {
        let what: String
    }
}

extension JSONObject {
    func object(_ name: String) -> JSONObject { self[name]?.object ?? JSONObject() }

    /// The members of an object of texts.
    func texts(_ name: String) -> [(name: String, value: String)] {
        object(name).members.compactMap { member in member.value.string.map { (member.name, $0) } }
    }
}
