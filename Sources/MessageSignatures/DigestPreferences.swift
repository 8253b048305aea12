internal import StructuredFields

/// The value of `Want-Content-Digest` or `Want-Repr-Digest` (RFC 9530, section 4).
public struct DigestPreferences: Sendable, Hashable {
    /// The weight of each algorithm by its name, from 0 (not wanted) to 10.
    public let weights: [String: Int]

    /// Makes preferences.
    ///
    /// - Throws: ``SignatureError`` with code `malformedPreference` for a weight outside of 0...10.
    public init(_ weights: [DigestAlgorithm: Int]) throws(SignatureError) {
        guard weights.values.allSatisfy((0...10).contains) else { throw Self.malformed(nil) }
        self.weights = Dictionary(uniqueKeysWithValues: weights.map { ($0.key.rawValue, $0.value) })
    }

    /// Reads a field, its lines joined with commas; of an algorithm that stands twice the last weight counts.
    ///
    /// - Throws: ``SignatureError`` with code `malformedPreference` for anything but a dictionary of integers in 0...10.
    public init(parsing octets: [UInt8]) throws(SignatureError) {
        let dictionary: FieldDictionary
        do throws(StructuredFieldError) {
            dictionary = try FieldDictionary(parsing: octets, with: SignatureLimits().parser())
        } catch {
            throw Self.malformed(error)
        }
        var weights: [String: Int] = [:]
        for (key, member) in dictionary {
            guard let weight = member.item?.bareItem.integer, (0...10).contains(weight) else {
                throw Self.malformed(nil)
            }
            weights[key] = Int(weight)
        }
        self.weights = weights
    }

    /// The algorithm that is wanted most, the stronger of two with one weight; nil when none is wanted.
    public var preferred: DigestAlgorithm? {
        preferred(among: DigestAlgorithm.allCases)
    }

    private func preferred(among algorithms: [DigestAlgorithm]) -> DigestAlgorithm? {
        algorithms.filter { weight(of: $0) > 0 }.max { (weight(of: $0), $0) < (weight(of: $1), $1) }
    }

    /// The algorithm that is wanted most among those that are strong enough; the minimum when none of them is wanted.
    public func algorithm(atLeast minimum: DigestAlgorithm) -> DigestAlgorithm {
        preferred(among: DigestAlgorithm.allCases.filter { $0 >= minimum }) ?? minimum
    }

    /// The text of the field, the weaker algorithm first.
    public var serialized: String {
        weights.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    private func weight(of algorithm: DigestAlgorithm) -> Int { weights[algorithm.rawValue] ?? 0 }

    private static func malformed(_ error: StructuredFieldError?) -> SignatureError {
        SignatureError(
            .malformedPreference,
            "the field is not a dictionary of integers from 0 to 10",
            underlying: error
        )
    }
}
