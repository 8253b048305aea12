/// The numbers of an RSA private key with two primes, big-endian (RFC 8017, section 3.2; RFC 7518, section 6.3).
public struct RSAPrivateNumbers: Sendable {
    /// The modulus n.
    public var modulus: [UInt8]
    /// The public exponent e.
    public var publicExponent: [UInt8]
    /// The private exponent d.
    public var privateExponent: SecretBytes
    /// The first prime p.
    public var prime1: SecretBytes
    /// The second prime q.
    public var prime2: SecretBytes
    /// d modulo p − 1.
    public var exponent1: SecretBytes
    /// d modulo q − 1.
    public var exponent2: SecretBytes
    /// The inverse of q modulo p.
    public var coefficient: SecretBytes

    /// Gathers the numbers; whether they fit is checked when a key is made of them.
    public init(
        modulus: [UInt8],
        publicExponent: [UInt8],
        privateExponent: SecretBytes,
        prime1: SecretBytes,
        prime2: SecretBytes,
        exponent1: SecretBytes,
        exponent2: SecretBytes,
        coefficient: SecretBytes
    ) {
        self.modulus = modulus
        self.publicExponent = publicExponent
        self.privateExponent = privateExponent
        self.prime1 = prime1
        self.prime2 = prime2
        self.exponent1 = exponent1
        self.exponent2 = exponent2
        self.coefficient = coefficient
    }

    /// RSAPrivateKey of RFC 8017, appendix A.1.2, in DER.
    var der: SecretBytes {
        var content = DER.unsigned([0]) + DER.unsigned(modulus) + DER.unsigned(publicExponent)
        let secrets = [privateExponent, prime1, prime2, exponent1, exponent2, coefficient]
        // Room for all, so that the array never moves and leaves a copy behind.
        content.reserveCapacity(content.count + secrets.reduce(0) { $0 + $1.count + 8 })
        for secret in secrets { secret.withBytes { Self.appendUnsigned($0, to: &content) } }
        var whole = DER.header(.sequence, length: content.count)
        whole.reserveCapacity(whole.count + content.count)
        whole.append(contentsOf: content)
        SecretBytes.clear(&content)
        return SecretBytes(moving: &whole)
    }

    private static func appendUnsigned(_ digits: Span<UInt8>, to output: inout [UInt8]) {
        var start = 0
        while start < digits.count, digits[start] == 0 { start += 1 }
        let needsZero = start == digits.count || digits[start] >= 0x80
        output.append(contentsOf: DER.header(.integer, length: digits.count - start + (needsZero ? 1 : 0)))
        if needsZero { output.append(0) }
        for offset in start..<digits.count { output.append(digits[offset]) }
    }
}
