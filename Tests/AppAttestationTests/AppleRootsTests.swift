import AppAttestation
import Cryptography
import Encodings
import Testing

@Suite("Apple's roots") struct AppleRootsTests {
    @Test func theyAreTheOnesThatApplePublishes() throws {
        let attestation = try AppleRoots.appAttestation()
        #expect(
            Hex.encode(try HashAlgorithm.sha256.hash(attestation.der))
                == "1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932"
        )
        let general = try AppleRoots.rootG3()
        #expect(
            Hex.encode(try HashAlgorithm.sha256.hash(general.der))
                == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
        )
    }
}
