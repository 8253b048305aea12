import Encodings
import JSONWebTokens

/// Shows the header and the claims of a token, never its signature.
struct TokenText {
    private static let dateNames = ["iat", "nbf", "exp"]

    let header: TokenHeader
    let claims: TokenClaims
    let now: Int64

    /// The dates among the claims, as people read them.
    var dates: JSONObject {
        var dates = JSONObject()
        for name in Self.dateNames {
            if let seconds = seconds(name) { dates[name] = .string(Timestamp.text(seconds)) }
        }
        return dates
    }

    private func seconds(_ name: String) -> Int64? {
        switch name {
        case "iat": claims.issuedAt
        case "nbf": claims.notBefore
        case "exp": claims.expiration
        default: nil
        }
    }

    func text(_ style: TextStyle) -> String {
        (rows("header", header.members, style) + rows("claims", claims.members, style)).joined(
            separator: "\n"
        )
    }

    private func rows(_ title: String, _ object: JSONObject, _ style: TextStyle) -> [String] {
        let width = object.members.map(\.name.escapingControls.count).max() ?? 0
        return [style.bold(title)]
            + object.members.map { name, value in
                let name = name.escapingControls
                let shown = value.string ?? String(decoding: value.serialized(), as: UTF8.self)
                var line = "  \(name)" + String(repeating: " ", count: width - name.count + 2)
                line += shown.escapingControls
                if title == "claims", let seconds = seconds(name) {
                    line += " (\(Timestamp.text(seconds)), \(Timestamp.distance(seconds, from: now)))"
                }
                return line
            }
    }
}
