import Pipeline
import TestPacing
import Testing
import Workers

@Suite(.limitedConcurrency) struct CrashQuarantineTests {
    private let source: SourceBytes = [1, 2, 3]
    private let crop: [UInt8] = [1]
    private let other: [UInt8] = [2]

    @Test func `a new quarantine rejects nothing`() {
        #expect(CrashQuarantine(time: .seconds(60), limit: 4).remaining(for: source, crop) == nil)
    }

    @Test func `an image that ended a worker is rejected for every kind of request`() throws {
        let refused = CrashQuarantine(time: .seconds(60), limit: 4)
        refused.add(source, crop, .source)
        #expect(try #require(refused.remaining(for: source, crop)) > .seconds(50))
        #expect(refused.remaining(for: source, other) != nil)
        #expect(refused.remaining(for: [1, 2], crop) == nil)
        #expect(refused.count == 1)
    }

    @Test func `a request that took too long is rejected, but not other requests for the same image`() {
        let refused = CrashQuarantine(time: .seconds(60), limit: 4)
        refused.add(source, crop, .request)
        #expect(refused.remaining(for: source, crop) != nil)
        #expect(refused.remaining(for: source, other) == nil)
        #expect(refused.remaining(for: [9], crop) == nil)
        #expect(refused.count == 1)
    }

    @Test func `a suspected request is rejected the second time`() {
        let refused = CrashQuarantine(time: .seconds(60), limit: 4)
        refused.add(source, crop, .suspectedRequest)
        refused.add(source, other, .suspectedRequest)
        #expect(refused.remaining(for: source, crop) == nil)
        #expect(refused.count == 0)
        refused.add(source, crop, .suspectedRequest)
        #expect(refused.remaining(for: source, crop) != nil)
        #expect(refused.remaining(for: source, other) == nil)
        #expect(refused.count == 1)
    }

    @Test func `a request on a busy machine is rejected the sixth time`() {
        let refused = CrashQuarantine(time: .seconds(60), limit: 4)
        for _ in 0..<5 { refused.add(source, crop, .starvedRequest) }
        #expect(refused.remaining(for: source, crop) == nil)
        #expect(refused.count == 0)
        refused.add(source, crop, .starvedRequest)
        #expect(refused.remaining(for: source, crop) != nil)
        #expect(refused.remaining(for: source, other) == nil)
    }

    @Test func `a rejection expires`() {
        let refused = CrashQuarantine(time: .zero, limit: 4)
        refused.add(source, crop, .source)
        #expect(refused.remaining(for: source, crop) == nil)
        #expect(refused.count == 0)
        // Old suspicions have expired.
        refused.add(source, crop, .suspectedRequest)
        #expect(refused.remaining(for: source, crop) == nil)
    }

    @Test func `the newest entry replaces the oldest`() {
        let refused = CrashQuarantine(time: .seconds(60), limit: 3)
        for number in 0..<10 { refused.add(SourceBytes([UInt8(number)]), crop, .source) }
        #expect(refused.count == 3)
        #expect((0..<10).filter { refused.remaining(for: SourceBytes([UInt8($0)]), crop) != nil } == [7, 8, 9])
    }

    @Test func `a slice of a body counts as the same image as a copy of it`() {
        let refused = CrashQuarantine(time: .seconds(60), limit: 3)
        refused.add(SourceBytes([0, 1, 2, 3, 0], in: 1..<4), crop, .source)
        #expect(refused.remaining(for: source, crop) != nil)
    }
}
