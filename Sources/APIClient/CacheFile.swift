import Cryptography
import Encodings
import FileStorage
import HTTPMessages

/// The file of a cache: a line with the version and the SHA-256 of what follows, and the entries as JSON.
struct CacheFile: Sendable {
    private let file: PrivateFile

    init(path: String, limits: ResponseCache.Limits) {
        // Base 64 and the JSON around it, for as much as the limits allow.
        let size = min(max(limits.octets, 0), 1 << 30) * 2 + min(max(limits.count, 0), 1 << 20) * 512 + 4096
        file = PrivateFile(path: path, maximumSize: size)
    }

    /// The entries, those used last at the end; none when there is no file, nil when it is damaged.
    func read() throws(APIError) -> [(String, CachedResponse)]? {
        let octets: [UInt8]
        do throws(FileStorageError) { octets = try file.read() } catch {
            switch error.code {
            case .notFound: return []
            case .tooLarge: return nil
            default: throw APIError(.cache, "the file of the cache cannot be used", underlying: error)
            }
        }
        guard let end = octets.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let content = Array(octets[(end + 1)...])
        guard let header = try? Self.header(of: content), octets[..<end].elementsEqual(header.utf8),
            let list = (try? JSONValue(parsing: content))?.array
        else { return nil }
        var entries: [(String, CachedResponse)] = []
        for value in list {
            guard let entry = Self.entry(value) else { return nil }
            entries.append(entry)
        }
        return entries
    }

    func write(_ entries: [(String, CachedResponse)]) throws(APIError) {
        let content = JSONValue.array(entries.map { Self.value($0, $1) }).serialized()
        do {
            try file.replace(Array("\(try Self.header(of: content))\n".utf8) + content)
        } catch {
            throw APIError(.cache, "the file of the cache cannot be written", underlying: error)
        }
    }

    private static func header(of content: [UInt8]) throws(CryptographyError) -> String {
        "api-response-cache 1 \(Hex.encode(try HashAlgorithm.sha256.hash(content)))"
    }

    private static func value(_ key: String, _ entry: CachedResponse) -> JSONValue {
        let fields = entry.fields.map { field in
            JSONValue.array([.string(field.name.rawName), .string(Base64.standard.encode(field.bytes))])
        }
        var object = JSONObject()
        object["key"] = .string(key)
        object["etag"] = .string(entry.etag)
        object["fields"] = .array(fields)
        object["body"] = .string(Base64.standard.encode(entry.body))
        return .object(object)
    }

    private static func entry(_ value: JSONValue) -> (String, CachedResponse)? {
        guard let object = value.object, let key = object["key"]?.string, let etag = object["etag"]?.string,
            EntityTag.isValid(etag), let list = object["fields"]?.array,
            let body = object["body"]?.string.flatMap({ try? Base64.standard.decode($0) })
        else { return nil }
        var fields = HTTPFields()
        for value in list {
            guard let pair = value.array, pair.count == 2, let name = pair[0].string,
                let octets = pair[1].string.flatMap({ try? Base64.standard.decode($0) }),
                let field = try? HTTPField(try HTTPField.Name(name), bytes: octets)
            else { return nil }
            fields.append(field)
        }
        return (key, CachedResponse(etag: etag, fields: fields, body: body))
    }
}
