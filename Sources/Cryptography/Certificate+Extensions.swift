internal import COpenSSL

/// What a certificate says in its extensions, read on each call.
extension Certificate {
    /// An extension by its object identifier.
    ///
    /// - Parameter identifier: The identifier in dotted decimal, such as `2.5.29.37`.
    /// - Returns: The extension, or nil when it is not there.
    /// - Throws: ``CryptographyError`` with code `invalidInput` for text that is no identifier, `invalidCertificate` for
    ///   an extension that stands twice, and `libraryFailure`.
    public func extensionValue(_ identifier: String) throws(CryptographyError) -> CertificateExtension? {
        guard let object = unsafe OBJ_txt2obj(identifier, 1) else {
            throw OpenSSLErrors.failure("OBJ_txt2obj", .invalidInput)
        }
        defer { unsafe ASN1_OBJECT_free(object) }
        return try reader.extensionValue { unsafe X509_get_ext_by_OBJ(reader.certificate, object, $0) }
    }

    /// The version as people count it: 3 for every certificate with extensions.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate`, or `libraryFailure`.
    public func version() throws(CryptographyError) -> Int {
        unsafe X509_get_version(reader.certificate) + 1
    }

    /// The purposes of the extended key usage, as the content octets of their identifiers; nil without the extension.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` for an extension out of its form.
    package func extendedKeyUsage() throws(CryptographyError) -> [[UInt8]]? {
        guard let value = try extensionValue("2.5.29.37")?.value else { return nil }
        var outer = DERReader(value)
        guard var purposes = outer.read(.sequence).map({ DERReader($0) }), outer.isAtEnd else {
            throw Self.malformedExtension
        }
        var found: [[UInt8]] = []
        while !purposes.isAtEnd {
            guard let purpose = purposes.read(.objectIdentifier) else { throw Self.malformedExtension }
            found.append(Array(purpose))
        }
        return found
    }

    /// The attributes of the directory names among the subject alternative names, by the content octets of their types.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate` for an extension out of its form.
    package func directoryNameAttributes() throws(CryptographyError) -> [(type: [UInt8], value: [UInt8])] {
        guard let value = try extensionValue("2.5.29.17")?.value else { return [] }
        var outer = DERReader(value)
        guard var names = outer.read(.sequence).map({ DERReader($0) }), outer.isAtEnd else {
            throw Self.malformedExtension
        }
        var found: [(type: [UInt8], value: [UInt8])] = []
        while let tag = names.nextTag {
            guard let content = names.readContent() else { throw Self.malformedExtension }
            if tag == .constructed(4) { found += try Self.nameAttributes(content) }
        }
        return found
    }

    /// The types of the subject's attributes, as the content octets of their identifiers.
    ///
    /// - Throws: ``CryptographyError`` with code `invalidCertificate`.
    package func subjectAttributes() throws(CryptographyError) -> [(type: [UInt8], value: [UInt8])] {
        try Self.nameAttributes(subjectDER[...])
    }

    private static func nameAttributes(
        _ name: ArraySlice<UInt8>
    ) throws(CryptographyError) -> [(type: [UInt8], value: [UInt8])] {
        var outer = DERReader(name)
        guard var sets = outer.read(.sequence).map({ DERReader($0) }), outer.isAtEnd else {
            throw malformedExtension
        }
        var found: [(type: [UInt8], value: [UInt8])] = []
        while !sets.isAtEnd {
            guard var set = sets.read(.set).map({ DERReader($0) }) else { throw malformedExtension }
            while !set.isAtEnd {
                guard var attribute = set.read(.sequence).map({ DERReader($0) }),
                    let type = attribute.read(.objectIdentifier), let value = attribute.readContent(),
                    attribute.isAtEnd
                else { throw malformedExtension }
                found.append((Array(type), Array(value)))
            }
        }
        return found
    }

    private static let malformedExtension = CryptographyError(
        .invalidCertificate,
        "a name or an extension of the certificate is not in its form"
    )
}
