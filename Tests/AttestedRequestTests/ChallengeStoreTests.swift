import AttestationAuthority
import ProtectionTesting
import Testing

@Suite("Challenges in memory") struct ChallengeStoreTests {
    private func challenge(_ name: String) -> IssuedChallenge {
        IssuedChallenge(sessionID: name, nonce: "n", kind: .apple)
    }

    @Test func theOldestGoWhenThereIsNoRoom() async throws {
        let store = InMemoryChallengeStore(capacity: 3, time: ManualTime().source)
        for number in 0..<5 { #expect(await store.insert(challenge("\(number)"), lifetime: .seconds(60))) }
        for number in 0..<2 { #expect(await store.take("\(number)") == nil) }
        for number in 2..<5 { #expect(await store.take("\(number)") == challenge("\(number)")) }
    }

    @Test func aFloodKeepsTheLast() async throws {
        let store = InMemoryChallengeStore(capacity: 1000, time: ManualTime().source)
        for number in 0..<20_000 {
            #expect(await store.insert(challenge("\(number)"), lifetime: .seconds(60)))
            if number % 2 == 0 { #expect(await store.take("\(number)") != nil) }
        }
        var left = 0
        for number in 0..<20_000 where await store.take("\(number)") != nil { left += 1 }
        #expect(left == 500)
    }

    @Test func timeMakesRoom() async throws {
        let time = ManualTime()
        let store = InMemoryChallengeStore(capacity: 2, time: time.source)
        #expect(await store.insert(challenge("a"), lifetime: .seconds(1)))
        time.advance(by: .seconds(1))
        #expect(await store.take("a") == nil)
        #expect(await store.insert(challenge("a"), lifetime: .seconds(1)))
        #expect(await !store.insert(challenge("a"), lifetime: .seconds(1)))
        #expect(await store.take("a") != nil)
        #expect(await store.take("a") == nil)
    }
}
