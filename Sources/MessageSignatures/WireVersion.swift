/// How a message was framed, as far as it changes what its fields mean.
public enum WireVersion: Sendable, Hashable {
    /// HTTP/1.0 and HTTP/1.1: a field may be folded over several lines.
    case http1
    /// HTTP/2 and HTTP/3: no folding, and the crumbs of `Cookie` join with a semicolon (RFC 9113, section 8.2.3).
    case http2
}
