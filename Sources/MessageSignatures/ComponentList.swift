internal import Encodings

/// What a signature covers, in order, with all that does not depend on the message.
///
/// A signer makes it once for all the messages that it signs.
struct ComponentList: Sendable {
    let identifiers: [ComponentIdentifier]
    /// The octets before the values in a signature base: of each the serialised form, a colon and a space.
    private let prefixes: [UInt8]
    private let prefixEnds: [Int]
    /// The inner list of the identifiers, as the parameters of a signature begin.
    let serialized: [UInt8]
    /// The first identifier that stood before.
    let duplicate: ComponentIdentifier?
    /// Whether a field that signatures stand in is covered.
    let coversSignatures: Bool
    /// Whether the digest of the representation is covered.
    let coversReprDigest: Bool

    init(_ identifiers: [ComponentIdentifier]) {
        self.identifiers = identifiers
        serialized = OctetWriter.array { output in
            output.append(UInt8(ascii: "("))
            for identifier in identifiers {
                if output.count > 1 { output.append(UInt8(ascii: " ")) }
                output.append(identifier.serialized)
            }
            output.append(UInt8(ascii: ")"))
        }
        var ends: [Int] = []
        prefixes = OctetWriter.array { output in
            for identifier in identifiers {
                output.append(identifier.serialized)
                output.append(": ")
                ends.append(output.count)
            }
        }
        prefixEnds = ends
        duplicate = identifiers.firstDuplicate
        coversSignatures = identifiers.contains(where: \.isOfSignature)
        coversReprDigest = identifiers.contains { $0.name == "repr-digest" && !$0.isOfRequest }
    }

    /// Writes what stands before the value of an identifier.
    func appendPrefix(of place: Int, to output: inout OctetWriter) {
        let start = place == 0 ? 0 : prefixEnds[place - 1]
        output.append(prefixes.span.extracting(start..<prefixEnds[place]))
    }

    /// Refuses a signature that covers itself: it would change what it was made over.
    func checkNotCovering(_ label: String, inTrailers: Bool) throws(SignatureError) {
        guard coversSignatures else { return }
        for component in identifiers where component.isOfSignature {
            guard !component.isOfRequest, component.isInTrailers == inTrailers else { continue }
            guard let key = component.key, key != label else {
                throw component.fault(.selfCovering, "the signature covers its own member")
            }
        }
    }
}

extension [ComponentIdentifier] {
    fileprivate var firstDuplicate: ComponentIdentifier? {
        // For few, a walk along them is quicker than a hash.
        guard count > 16 else {
            for place in indices {
                for before in 0..<place where self[before] == self[place] { return self[place] }
            }
            return nil
        }
        var seen: Set<ComponentIdentifier> = []
        return first { !seen.insert($0).inserted }
    }
}
