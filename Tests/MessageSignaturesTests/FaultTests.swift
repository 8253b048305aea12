import HTTPMessages
import MessageSignatures
import StructuredFields
import Testing

/// One message at fault for each code, without the public vectors.
@Suite("Message signatures: faults") struct FaultTests {
    @Test(
        "Identifiers",
        arguments: [
            ("\"Date\"", .invalidComponentName), ("\"a b\"", .invalidComponentName),
            ("\"\"", .invalidComponentName),
            ("\"@foo\"", .unknownDerivedComponent), ("\"@query-params\"", .unknownDerivedComponent),
            ("\"@signature-params\"", .signatureParamsCovered), ("\"date\";foo", .unknownComponentParameter),
            ("\"date\";name=\"a\"", .unknownComponentParameter),
            ("\"@path\";sf", .componentParameterNotApplicable),
            ("\"@path\";tr", .componentParameterNotApplicable), ("\"a\";key=a", .malformedComponentParameter),
            ("\"a\";tr=?0", .malformedComponentParameter), ("\"a\";bs;sf", .incompatibleComponentParameters),
            ("\"a\";key=\"k\";bs", .incompatibleComponentParameters),
            ("\"@query-param\"", .queryParamNameMissing),
            ("\"@status\";req", .statusInRequest),
        ] as [(String, SignatureError.Code)]
    )
    func identifiers(_ text: String, _ wanted: SignatureError.Code) {
        #expect(refusal { try ComponentIdentifier(parsing: text) } == wanted)
    }

    @Test(
        "Components of a request",
        arguments: [
            ("\"@status\"", .statusInRequest), ("\"@method\";req", .reqInRequest),
            ("\"a\";req", .reqInRequest),
            ("\"none\"", .fieldMissing), ("\"date\";tr", .trailerMissing),
            ("\"date\";sf", .structuredTypeUnknown),
            ("\"date\";key=\"a\"", .notADictionary), ("\"priority\";key=\"z\"", .dictionaryKeyMissing),
            ("\"client-cert\";sf", .malformedStructuredField), ("\"client-cert\";key=\"a\"", .notADictionary),
            ("\"@query-param\";name=\"z\"", .queryParamMissing),
            ("\"@query-param\";name=\"r\"", .queryParamRepeated),
            ("\"broken\"", .newlineOrControlInValue), ("\"broken\";bs", .newlineOrControlInValue),
            ("\"name\"", .nonASCIIInBase),
        ] as [(String, SignatureError.Code)]
    )
    func components(_ text: String, _ wanted: SignatureError.Code) throws {
        var message = SignableMessage(method: .get, target: try SignableTarget("https://a/?r=1&r=2"))
        message.fields = [
            FieldLine("Date", "now"), FieldLine("Priority", "u=1"), FieldLine("Client-Cert", ":"),
            FieldLine("Broken", "a\nb"), FieldLine("Name", "é"),
        ]
        let component = try ComponentIdentifier(parsing: text)
        let signer = try TestSigner(.ed25519).signer([component])
        #expect(refusal { try signer.signature(of: message) } == wanted)
    }

    @Test(
        "Components of a response",
        arguments: [
            ("\"@method\"", .requestComponentInResponse), ("\"@method\";req", .relatedRequestMissing),
            ("\"date\";req", .relatedRequestMissing),
        ] as [(String, SignatureError.Code)]
    )
    func response(_ text: String, _ wanted: SignatureError.Code) throws {
        let message = SignableMessage(status: .ok, answering: nil)
        let signer = try TestSigner(.ed25519).signer([try ComponentIdentifier(parsing: text)])
        #expect(refusal { try signer.signature(of: message) } == wanted)
    }

    @Test(
        "The two fields",
        arguments: [
            (nil, nil, .unsignedMessage), (nil, "a=:AAAA:", .signatureInputMissing),
            ("a=()", nil, .signatureMissing),
            ("a=(", "a=:AAAA:", .malformedSignatureInput), ("a=1", "a=:AAAA:", .malformedSignatureInput),
            ("a=(date)", "a=:AAAA:", .malformedSignatureInput), ("a=()", "a=:AAA:", .malformedSignature),
            ("a=()", "a=\"AAAA\"", .malformedSignature), ("a=()", "b=:AAAA:", .labelMismatch),
            ("a=(), b=()", "a=:AAAA:", .labelMismatch), ("a=(), a=()", "a=:AAAA:", .labelNotUnique),
            ("a=()", "a=:AAAA:, a=:AAAA:", .labelNotUnique), ("b=()", "b=:AAAA:", .labelNotFound),
            ("a=();x;x", "a=:AAAA:", .duplicateParameter), ("a=();  x;  x", "a=:AAAA:", .duplicateParameter),
            ("a=(\"d\";tr;tr)", "a=:AAAA:", .duplicateParameter),
            ("a=(\"@path\" \"@path\")", "a=:AAAA:", .duplicateComponent),
            ("a=(\"signature\")", "a=:AAAA:", .selfCovering),
            ("a=();created=\"1\"", "a=:AAAA:", .parameterWrongType),
            ("a=();alg=\"none\"", "a=:AAAA:", .unknownAlgorithm),
            ("a=();alg=\"hmac-sha256\"", "a=:AAAA:", .algorithmMismatch),
            ("a=();created=2;expires=1", "a=:AAAA:", .expired), ("a=()", "a=:AAAA:", .signatureInvalid),
        ] as [(String?, String?, SignatureError.Code)]
    )
    func fields(_ input: String?, _ signature: String?, _ wanted: SignatureError.Code) throws {
        var message = try TestSigner.request()
        if let input { message.fields.append(FieldLine("Signature-Input", input)) }
        if let signature { message.fields.append(FieldLine("Signature", signature)) }
        let verifier = try TestSigner(.ed25519).verifier(VerificationPolicy(requiredComponents: []))
        #expect(refusal { try verifier.verify(message, label: "a") } == wanted)
    }

    @Test("What a signer is asked for") func signing() throws {
        let message = try TestSigner.request()
        let signer = try TestSigner(.ed25519).signer([.method])
        for label in ["", "A", "1", "a b", "a="] {
            var other = signer
            other.label = label
            #expect(refusal { try other.signature(of: message) } == .invalidLabel)
        }
        var other = signer
        other.components = [.method, .method]
        #expect(refusal { try other.signature(of: message) } == .duplicateComponent)
        other = signer
        other.tag = "a\nb"
        #expect(refusal { try other.signature(of: message) } == .unserializableParameter)
        #expect(refusal { try SignatureParameters([("a", 1), ("a", 2)]) } == .duplicateParameter)
        #expect(refusal { try SignatureParameters([("tag", 1)]) } == .parameterWrongType)
    }
}
