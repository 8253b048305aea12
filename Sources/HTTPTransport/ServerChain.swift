package import Cryptography

/// The certificates of a server, and whether they hold.
package struct ServerChain: Sendable {
    /// The certificates, the server's own first: the verified chain up to its root or, when it leads to no root that is
    /// trusted, what the server sent.
    package let certificates: [Certificate]
    /// Why the server is not trusted, with code `certificateNotTrusted`; nil when it is.
    package let distrust: TransportError?
}
