import MessageSignatures
import ProtectionTesting
import RequestVerification
import Testing
import TestSupport
import Timing

@Suite("Nonce cache") struct NonceCacheTests {
    private let time = ManualTime()

    /// A use that ends so many seconds from now.
    private func use(
        _ nonce: String,
        of owner: String? = "a",
        age: Int64? = 0,
        for seconds: Int64 = 10
    ) -> NonceUse {
        let now = time.source.secondsSince1970
        return NonceUse(
            nonce: nonce,
            owner: owner,
            created: age.map { now - $0 },
            acceptedUntil: now + seconds
        )
    }

    @Test func aNonceIsNewOnceForEachOwner() {
        let cache = NonceCache(time: time.source)
        #expect(cache.insert(use("n")) && cache.insert(use("n", of: "b")) && cache.insert(use("n", of: nil)))
        #expect(!cache.insert(use("n")))
        time.advance(by: .seconds(10))
        #expect(!cache.insert(use("n")))
        time.advance(by: .seconds(1))
        #expect(cache.insert(use("n")))
        #expect(!cache.insert(use(String(repeating: "x", count: 257))))
    }

    @Test func aFullCacheRefuses() {
        let cache = NonceCache(capacity: 2, time: time.source)
        #expect(cache.insert(use("1")) && cache.insert(use("2", of: "b")))
        #expect(!cache.insert(use("3", of: "c")))
        time.advance(by: .seconds(11))
        #expect(cache.insert(use("3", of: "c")))
    }

    @Test func oneOwnerCannotFillIt() {
        let cache = NonceCache(capacity: 10, capacityPerOwner: 2, time: time.source)
        #expect(cache.insert(use("1")) && cache.insert(use("2")))
        #expect(!cache.insert(use("3")))
        #expect(cache.insert(use("3", of: "b")))
        // Nobody in particular is many.
        for number in 0..<5 { #expect(cache.insert(use("\(number)", of: nil))) }
        time.advance(by: .seconds(11))
        #expect(cache.insert(use("3")) && cache.insert(use("4")) && !cache.insert(use("5")))
    }

    @Test func whatEndsIsForgottenInWhateverOrderItCame() {
        let cache = NonceCache(capacity: 20, capacityPerOwner: 20, time: time.source)
        var random = SeededGenerator(seed: 1)
        // As many as fit, each with an end of its own between 1 and 20 seconds; each second one place gets free.
        let ends = (1...20).shuffled(using: &random)
        for end in ends { #expect(cache.insert(use("\(end)", for: Int64(end)))) }
        #expect(!cache.insert(use("more")))
        for second in 0..<20 {
            time.advance(by: .seconds(1))
            let kept = second + 1
            #expect(!cache.insert(use("\(kept)")), "it can be sent in second \(kept) still")
            if second > 0 { #expect(cache.insert(use("new \(second)", for: 100))) }
            #expect(!cache.insert(use("more")))
        }
    }

    @Test func anEndBeyondAllNumbersIsKept() {
        let cache = NonceCache(time: time.source)
        let endless = NonceUse(nonce: "n", owner: "a", created: .max, acceptedUntil: .max)
        #expect(cache.insert(endless))
        time.advance(by: .seconds(1_000_000))
        #expect(!cache.insert(endless))
    }

    @Test func aClockThatIsSetBackBringsNothingBack() {
        let cache = NonceCache(time: time.source)
        let early = use("n")
        #expect(cache.insert(early))
        time.advance(by: .seconds(100))
        #expect(cache.insert(use("m")))
        time.advance(by: .seconds(-100))
        #expect(!cache.insert(early))
    }

    @Test func whatMayHaveBeenUsedBeforeTheStartIsRefused() {
        let cache = NonceCache(time: time.source)
        #expect(!cache.insert(use("1", age: nil)) && !cache.insert(use("2", age: 1)))
        #expect(cache.insert(use("3")))
        let lenient = NonceCache(takesEarlierSignatures: true, time: time.source)
        #expect(lenient.insert(use("1", age: nil)) && lenient.insert(use("2", age: 100)))
    }

    @Test func ofManyCallersOneIsFirst() async {
        let cache = NonceCache(time: time.source)
        let use = use("n")
        let firsts = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { cache.insert(use) } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(firsts == 1)
    }
}
