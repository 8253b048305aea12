internal import COpenSSL

/// The parts of a certificate to be made, each in DER (RFC 5280, section 4.1).
struct CertificateContents {
    let subject: [UInt8]
    private let key: PublicKey
    private let validity: [UInt8]
    private let extensions: [[UInt8]]

    /// - Throws: ``CryptographyError`` with code `invalidInput`, or `libraryFailure`.
    init(_ builder: CertificateBuilder, key: PublicKey) throws(CryptographyError) {
        guard (1...64).contains(builder.commonName.unicodeScalars.count) else {
            throw CryptographyError(.invalidInput, "a common name must have 1 to 64 characters")
        }
        guard builder.notBefore <= builder.notAfter else {
            throw CryptographyError(.invalidInput, "a certificate cannot end before it starts")
        }
        let attribute = DER.sequence(
            DER.identifier(DER.ObjectIdentifier.commonName),
            DER.element(.utf8String, Array(builder.commonName.utf8))
        )
        subject = DER.sequence(DER.element(.set, attribute))
        validity = DER.sequence(
            try CertificateTime.der(builder.notBefore),
            try CertificateTime.der(builder.notAfter)
        )
        self.key = key
        extensions = try Self.extensions(builder, key: key)
    }

    /// Signs the parts, and reads the outcome back as any other certificate.
    func signed(
        issuer: [UInt8],
        issuerKeyIdentifier: [UInt8]?,
        by signer: PrivateKey
    ) throws(CryptographyError) -> Certificate {
        let (signature, algorithm) = try Self.signatureAlgorithm(of: signer.keyType)
        // 16 random octets; the bits changed keep the number positive and its length constant.
        var serial = try RandomBytes.generate(count: 16)
        serial[0] = serial[0] & 0x7F | 0x40
        var extensions = extensions
        if let issuerKeyIdentifier {
            let identifier = DER.sequence(DER.element(.context(0), issuerKeyIdentifier))
            extensions.append(Self.extensionDER(DER.ObjectIdentifier.authorityKeyIdentifier, identifier))
        }
        let body = DER.sequence(
            DER.element(.constructed(0), DER.element(.integer, [2])),  // version 3
            DER.unsigned(serial),
            algorithm,
            issuer,
            validity,
            subject,
            key.spkiDER,
            DER.element(.constructed(3), DER.element(.sequence, Array(extensions.joined())))
        )
        let octets = try signer.sign(body, using: signature, encoding: .der)
        return try Certificate(der: DER.sequence(body, algorithm, DER.bitString(octets)))
    }

    private static func signatureAlgorithm(
        of type: KeyType
    ) throws(CryptographyError) -> (SignatureAlgorithm, [UInt8]) {
        switch type {
        case .rsaPSS:
            throw CryptographyError(.unsupportedKey, "certificates are not signed with RSASSA-PSS here")
        case .p256:
            return (.ecdsaP256SHA256, DER.sequence(DER.identifier(DER.ObjectIdentifier.ecdsaWithSHA256)))
        case .p384:
            return (.ecdsaP384SHA384, DER.sequence(DER.identifier(DER.ObjectIdentifier.ecdsaWithSHA384)))
        case .p521:
            return (.ecdsaP521SHA512, DER.sequence(DER.identifier(DER.ObjectIdentifier.ecdsaWithSHA512)))
        case .ed448: return (.ed448, DER.sequence(DER.identifier(DER.ObjectIdentifier.ed448)))
        case .ed25519: return (.ed25519, DER.sequence(DER.identifier(DER.ObjectIdentifier.ed25519)))
        case .rsa:
            return (
                .rsaPKCS1SHA256,
                DER.sequence(
                    DER.identifier(DER.ObjectIdentifier.sha256WithRSAEncryption),
                    DER.element(.null, [])
                )
            )
        }
    }

    private static func extensions(
        _ builder: CertificateBuilder,
        key: PublicKey
    ) throws(CryptographyError) -> [[UInt8]] {
        var constraints: [UInt8] = []
        var usage: UInt8
        var purpose: [UInt8]?
        switch builder.role {
        case .authority(let pathLength):
            constraints = DER.element(.boolean, [0xFF])
            if let pathLength {
                guard (0...127).contains(pathLength) else {
                    throw CryptographyError(.invalidInput, "a path length must be from 0 to 127")
                }
                constraints += DER.element(.integer, [UInt8(pathLength)])
            }
            usage = 0b0000_0110  // keyCertSign, cRLSign; the last bit is unused
        case .server:
            usage = 0b1000_0000  // digitalSignature
            purpose = DER.ObjectIdentifier.serverAuthentication
        case .client:
            usage = 0b1000_0000
            purpose = DER.ObjectIdentifier.clientAuthentication
        }
        let unusedBits = UInt8(usage.trailingZeroBitCount)
        // RFC 7093, section 2, method 1: the first 160 bits of the key's SHA-256.
        let keyIdentifier = Array(try HashAlgorithm.sha256.hash(key.spkiDER).prefix(20))
        var extensions = [
            extensionDER(
                DER.ObjectIdentifier.basicConstraints,
                DER.element(.sequence, constraints),
                isCritical: true
            ),
            extensionDER(
                DER.ObjectIdentifier.keyUsage,
                DER.element(.bitString, [unusedBits, usage]),
                isCritical: true
            ),
            extensionDER(DER.ObjectIdentifier.subjectKeyIdentifier, DER.element(.octetString, keyIdentifier)),
        ]
        if let purpose {
            extensions.append(
                extensionDER(DER.ObjectIdentifier.extendedKeyUsage, DER.sequence(DER.identifier(purpose)))
            )
        }
        let names = try alternativeNames(builder)
        if !names.isEmpty {
            extensions.append(
                extensionDER(DER.ObjectIdentifier.subjectAlternativeName, DER.element(.sequence, names))
            )
        }
        return extensions
    }

    private static func alternativeNames(_ builder: CertificateBuilder) throws(CryptographyError) -> [UInt8] {
        var names: [UInt8] = []
        for name in builder.dnsNames {
            let octets = Array(name.utf8)
            guard (1...253).contains(octets.count), octets.allSatisfy(isNameOctet) else {
                throw CryptographyError(
                    .invalidInput,
                    "a DNS name must be ASCII letters, digits, hyphens and dots"
                )
            }
            names += DER.element(.context(2), octets)
        }
        for address in builder.ipAddresses {
            guard !address.utf8.contains(0), let octets = unsafe a2i_IPADDRESS(address) else {
                OpenSSLErrors.discard()
                throw CryptographyError(.invalidInput, "an IP address is not one of IPv4 or IPv6")
            }
            defer { unsafe ASN1_OCTET_STRING_free(octets) }
            let count = unsafe Int(ASN1_STRING_length(octets))
            names += unsafe DER.element(
                .context(7),
                UnsafeBufferPointer(start: ASN1_STRING_get0_data(octets), count: count)
            )
        }
        return names
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"): true
        default: false
        }
    }

    private static func extensionDER(
        _ identifier: [UInt8],
        _ value: [UInt8],
        isCritical: Bool = false
    ) -> [UInt8] {
        // DER leaves a default value out, and not critical is the default.
        let critical = isCritical ? DER.element(.boolean, [0xFF]) : []
        return DER.sequence(DER.identifier(identifier), critical, DER.element(.octetString, value))
    }
}
