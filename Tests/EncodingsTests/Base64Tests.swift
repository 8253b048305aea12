import Encodings
import Testing

@Suite("Base 64") struct Base64Tests {
    /// RFC 4648, section 10.
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func standardVectors(plain: String, encoded: String) throws {
        #expect(Base64.standard.encode(plain.utf8) == encoded)
        #expect(try Base64.standard.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: vectors)
    func urlVectors(plain: String, encoded: String) throws {
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.url.encode(plain.utf8) == unpadded)
        #expect(try Base64.url.decode(unpadded) == Array(plain.utf8))
    }

    @Test func everyOctetAndAlphabet() throws {
        let octets = (0...255).map(UInt8.init)
        for length in 0...256 {
            let part = Array(octets.prefix(length))
            #expect(try Base64.standard.decode(Base64.standard.encode(part)) == part)
            #expect(try Base64.url.decode(Base64.url.encode(part)) == part)
        }
        #expect(Base64.standard.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.url.encode([0xFB, 0xFF]) == "-_8")
    }

    @Test(arguments: [
        ("Zg", DecodingFault(.invalidPadding, at: 2)), ("Zg=", DecodingFault(.invalidPadding, at: 2)),
        ("Zg===", DecodingFault(.invalidPadding, at: 2)), ("Zm9v=", DecodingFault(.invalidPadding, at: 4)),
        ("Z===", DecodingFault(.invalidPadding, at: 1)), ("=", DecodingFault(.invalidPadding, at: 0)),
        ("Zh==", DecodingFault(.nonCanonical, at: 1)), ("Zm9=", DecodingFault(.nonCanonical, at: 2)),
        ("Zm9v\n", DecodingFault(.invalidPadding, at: 5)), ("Zm v", DecodingFault(.invalidCharacter, at: 2)),
        ("Zm-v", DecodingFault(.invalidCharacter, at: 2)), ("Z=9v", DecodingFault(.invalidCharacter, at: 1)),
        ("Zm9é", DecodingFault(.invalidPadding, at: 5)),
    ])
    func standardRefuses(text: String, fault: DecodingFault) throws {
        #expect(throws: fault) { try Base64.standard.decode(text) }
    }

    @Test(arguments: [
        ("Zg==", DecodingFault(.invalidCharacter, at: 2)), ("Z", DecodingFault(.invalidLength, at: 1)),
        ("Zh", DecodingFault(.nonCanonical, at: 1)), ("Zm+v", DecodingFault(.invalidCharacter, at: 2)),
        ("Zm9v ", DecodingFault(.invalidCharacter, at: 4)),
        ("Zm9vé", DecodingFault(.invalidCharacter, at: 4)),
    ])
    func urlRefuses(text: String, fault: DecodingFault) throws {
        #expect(throws: fault) { try Base64.url.decode(text) }
    }
}

@Suite("Base 32") struct Base32Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "MY======"), ("fo", "MZXQ===="), ("foo", "MZXW6==="), ("foob", "MZXW6YQ="),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI======"),
    ])
    func vectors(plain: String, encoded: String) {
        #expect(Base32.encode(plain.utf8) == encoded)
    }
}
