/// The output of a call that has none: what the response holds is not looked at.
///
/// ```swift
/// let _: EmptyResponse = try await api.delete("/shapes/7")
/// ```
public struct EmptyResponse: Decodable, Sendable, Hashable {
    /// Makes the value.
    public init() {}

    /// Takes any content.
    public init(from decoder: any Decoder) {}
}

/// A type that has a value for a response without content.
protocol EmptyDecodable {
    /// The value for a response without content.
    static var empty: Self { get }
}

extension EmptyResponse: EmptyDecodable {
    static var empty: EmptyResponse { EmptyResponse() }
}

extension Optional: EmptyDecodable {
    static var empty: Wrapped? { nil }
}
