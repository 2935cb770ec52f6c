import FramePipeline
import TestPacing
import Testing

@Suite(.takingTurns) struct RefusedSourcesTests {
    private let source: [UInt8] = [1, 2, 3]

    @Test func `nothing is refused before there was a reason`() {
        #expect(RefusedSources(time: .seconds(60), limit: 4).remaining(for: source) == nil)
    }

    @Test func `a culprit is refused at once, a suspect the second time`() throws {
        let refused = RefusedSources(time: .seconds(60), limit: 4)
        refused.add(source, isCertain: false)
        #expect(refused.remaining(for: source) == nil)
        #expect(refused.count == 0)
        refused.add(source, isCertain: false)
        #expect(try #require(refused.remaining(for: source)) > .seconds(50))
        #expect(refused.remaining(for: [1, 2]) == nil)
        refused.add([9], isCertain: true)
        #expect(refused.remaining(for: [9]) != nil)
        #expect(refused.count == 2)
    }

    @Test func `a refusal ends`() {
        let refused = RefusedSources(time: .zero, limit: 4)
        refused.add(source, isCertain: true)
        #expect(refused.remaining(for: source) == nil)
        #expect(refused.count == 0)
        // What was suspected long ago does not count.
        refused.add(source, isCertain: false)
        #expect(refused.remaining(for: source) == nil)
    }

    @Test func `the oldest makes room for the newest`() {
        let refused = RefusedSources(time: .seconds(60), limit: 3)
        for number in 0..<10 { refused.add([UInt8(number)], isCertain: true) }
        #expect(refused.count == 3)
        #expect((0..<10).filter { refused.remaining(for: [UInt8($0)]) != nil } == [7, 8, 9])
    }
}
