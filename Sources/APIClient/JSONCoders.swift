public import FoundationEssentials

/// What turns values into JSON and JSON into values.
///
/// A coder is made anew for each use, so that none is shared between tasks.
public struct JSONCoders: Sendable {
    /// Makes the encoder of parameters.
    public var makeEncoder: @Sendable () -> JSONEncoder
    /// Makes the decoder of responses.
    public var makeDecoder: @Sendable () -> JSONDecoder

    /// Makes coders; by default those of Foundation as they come.
    public init(
        makeEncoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
        makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.makeEncoder = makeEncoder
        self.makeDecoder = makeDecoder
    }

    /// Encodes a value as JSON in UTF-8.
    func encode(_ value: some Encodable) throws(APIError) -> [UInt8] {
        do {
            return Array(try makeEncoder().encode(value))
        } catch {
            throw APIError(.encoding, "the parameters are not what JSON can hold", underlying: error)
        }
    }
}
