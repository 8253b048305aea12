import TestSupport
import Testing

@Suite("Samples") struct SampleTests {
    @Test func theDemoDoesWhatItSays() async throws {
        let demo = try await Command.run(PackageFolders.products + "/QuickStart", [])
        #expect(demo.status == 0, Comment(rawValue: demo.output))
        for line in [
            "the backend answers 401: missingToken", "the backend answers 200: a circle", #""did":"#,
            "bindingMismatch", "the health check is left alone", "NO_ATTESTATION_SERVICE", "an icosahedron",
            "10 of 10 checks came true.",
        ] {
            #expect(demo.output.contains(line), Comment(rawValue: line))
        }
        #expect(!demo.output.contains("eyJhbGciOi"), "a token is printed")
    }

    @Test func theEmptyConfigurationIsAPlainSession() async throws {
        let sample = try await Command.run(PackageFolders.products + "/EmptyConfig", [])
        #expect(sample.status == 0)
        #expect(sample.output.contains("initialized: true\nenabled: false\nthe request went as it was: true"))
    }

    @Test func thePolicyDecidesByHost() async throws {
        let sample = try await Command.run(PackageFolders.products + "/PolicyMutator", [])
        #expect(sample.status == 0, Comment(rawValue: sample.output))
        let expected = """
            with a network
              api.localhost: 200 token and signature, linux, 1.0
              status.localhost: 200 token and signature, linux, 1.0
              metrics.localhost: 200 no token
              other.localhost: pinningFailed, nothing was sent

            without a network to the authority
              api.localhost: networking, nothing was sent
              status.localhost: 200 no token, linux, 1.0
              metrics.localhost: 200 no token

            rejections
              api.localhost/closed: 403\u{20}

            """
        #expect(sample.output.hasPrefix(expected), Comment(rawValue: sample.output))
        for line in [
            "  log: api.localhost: rejected by the backend with 403, ARC ", ", device ",
            "  the authority says of that ARC: its token was good\n",
            "  api.localhost: rejection, nothing was sent\n",
            "  log: api.localhost: rejected by the authority, ARC ",
            "  the authority says of that ARC: the installation is revoked\n", "\nall as it should be\n",
        ] {
            #expect(sample.output.contains(line), Comment(rawValue: line))
        }
        #expect(!sample.output.contains("eyJhbGciOi"), "a token is printed")
    }

    @Test func theAPIIsCalled() async throws {
        let sample = try await Command.run(PackageFolders.products + "/APIDemo", [])
        #expect(sample.status == 0, Comment(rawValue: sample.output))
        for line in [
            "another key is refused, and nothing is sent: host localhost", "404, There is no such shape",
            "at id, at octet 6", "linked pages: circle, square", "pages by cursor: [3, 4, 5]",
            "sent again and taken once", "12 of 12 checks came true.",
        ] {
            #expect(sample.output.contains(line), Comment(rawValue: line))
        }
    }

    @Test func anAttestedClientIsTakenAndOthersAreNot() async throws {
        let sample = try await Command.run(PackageFolders.products + "/AttestedClient", [])
        #expect(sample.status == 0, Comment(rawValue: sample.output))
        for line in [
            "the first run: 200 counter 1, keys attested so far: 1",
            "the second run: 200 counter 2, keys attested so far: 1",
            "the same request once more: 401 counterNotAdvanced", "with another body: 401 bodyChanged",
            "with another body and no digest: 401 badSignature",
            "with another path: 401 badSignature", "with another time: 401 staleTimestamp",
            "with a key that nobody attested: 401 unknownKey", "a client without a key: 401 missingField",
            "after an outage: 200 counter 4, attempts: 2", "11 of 11 checks came true.",
        ] {
            #expect(sample.output.contains(line), Comment(rawValue: line))
        }
    }

    @Test func whatIsChangedOrSentTwiceIsRefused() async throws {
        let sample = try await Command.run(PackageFolders.products + "/MessageSigning", [])
        #expect(sample.status == 0, Comment(rawValue: sample.output))
        for line in [
            "another body: 401 contentMismatch", "another path: 401 invalidSignature",
            "another header: 401 invalidSignature", "the second time: 401 replayedSignature",
            #""@target-uri": http://localhost:"#, #""protection-token": <"#,
            #""@signature-params": ("@method" "@target-uri" "protection-token" "#, "all as it should be",
        ] {
            #expect(sample.output.contains(line), Comment(rawValue: line))
        }
        #expect(!sample.output.contains("eyJhbGciOi") && !sample.output.contains("credentials"))
    }
}
