/// A signed policy: the fields that a form must hold besides those that the policy rules.
public struct SignedPostPolicy: Sendable, CustomStringConvertible, CustomReflectable {
    /// A field of the form.
    public struct Field: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value; whoever has all of them can upload what the policy allows.
        public let value: String
    }

    /// The fields of the signature, to be sent before the file.
    public let fields: [Field]
    /// The policy in Base 64, over which the signature is made.
    public let policy: String
    /// The signature in hexadecimal.
    public let signature: String

    /// The names of the fields, without their values.
    public var description: String { "SignedPostPolicy(\(fields.map(\.name).joined(separator: ", ")))" }

    /// A mirror without children, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
