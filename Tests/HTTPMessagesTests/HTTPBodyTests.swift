import HTTPMessages
import Testing

@Suite("Bodies") struct HTTPBodyTests {
    @Test func theyAreReplayableUnlessTheySayOtherwise() {
        #expect(HTTPBody([1, 2]).isReplayable && HTTPBody("text").isReplayable)
        #expect(!HTTPBody([1, 2], isReplayable: false).isReplayable)
        #expect(HTTPBody("ab") == HTTPBody([0x61, 0x62]))
        #expect(HTTPBody([1], isReplayable: false) != HTTPBody([1]))
    }
}
