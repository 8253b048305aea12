import AppAttestation
import Cryptography
import TestSupport
import Testing

@Suite("Receipts out of their form") struct ReceiptFormTests {
    static let appID = "org.example.app"
    static let now: Int64 = 1_767_225_600

    let key: AttestedKey
    let mint: ReceiptMint
    let verifier: ReceiptVerifier

    init() throws {
        let publicKey = try PrivateKey.generate(.p256).publicKey
        key = AttestedKey(
            keyID: [1],
            publicKey: publicKey,
            format: .appleAppAttest,
            appID: Self.appID,
            environment: nil,
            counter: 0
        )
        mint = try ReceiptMint(attestedKey: publicKey)
        verifier = try ReceiptVerifier(roots: [mint.root], time: .fixed(Self.now))
    }

    private func code(_ receipt: [UInt8]) -> AttestationError.Code? {
        do throws(AttestationError) {
            _ = try verifier.verify(receipt, key: key)
            return nil
        } catch { return error.code }
    }

    @Test func oneInItsFormIsTaken() throws {
        let receipt = try verifier.verify(mint.receipt(mint.fields(appID: Self.appID)), key: key)
        #expect(receipt.kind == .attestation && receipt.riskMetric == 3 && receipt.environment == "sandbox")
        #expect(code(try mint.receipt(mint.fields(appID: "other"))) == .receiptMismatch)
    }

    @Test(arguments: [2, 3, 4, 6, 12, 21] as [UInt8])
    func aFieldThatMustBeThereIsMissing(number: UInt8) throws {
        let fields = mint.fields(appID: Self.appID).filter { $0.0 != number }
        #expect(code(try mint.receipt(fields)) == .malformedReceipt)
    }

    @Test(
        arguments: [
            (2, [0xFF]), (3, [0x30]), (6, Array("OTHER".utf8)), (7, [0xC0]), (12, Array("today".utf8)),
            (17, Array("-1".utf8)), (17, Array("x".utf8)), (17, Array("+3".utf8)), (17, Array("03".utf8)),
            (21, Array("2039-01-01".utf8)),
        ] as [(UInt8, [UInt8])]
    )
    func aFieldIsNotInItsForm(number: UInt8, value: [UInt8]) throws {
        let fields = mint.fields(appID: Self.appID).map { $0.0 == number ? (number, value) : $0 }
        #expect(code(try mint.receipt(fields)) == .malformedReceipt)
    }

    @Test func aFieldStandsTwice() throws {
        let fields = mint.fields(appID: Self.appID)
        #expect(code(try mint.receipt(fields + fields.prefix(1))) == .malformedReceipt)
    }

    @Test(arguments: [[99], [1, 44]] as [[UInt8]]) func aFieldThatIsNotKnownIsLeftAlone(
        number: [UInt8]
    ) throws {
        let fields = mint.fields(appID: Self.appID).map { ([$0.0], $0.1) } + [(number, [1])]
        let content = fields.flatMap { number, value in
            DER.sequence(DER.unsigned(number), DER.unsigned([1]), DER.element(.octetString, value))
        }
        #expect(code(try mint.receipt(content: DER.element(.set, content))) == nil)
    }

    @Test(arguments: [[0x31], [0x30, 0], [0x31, 0, 0], [0x31, 2, 0x30, 0], [0x04, 1, 1]] as [[UInt8]])
    func theContentIsNoSetOfFields(content: [UInt8]) throws {
        #expect(code(try mint.receipt(content: content)) == .malformedReceipt)
    }
}
