import Admission
import Geometry
import Imaging
import TestPacing
import Testing
import Video

@Suite(.limitedConcurrency) struct StreamInputTests {
    private static func jpeg(_ side: Int = 16) throws -> [UInt8] {
        let plane = try Plane(PixelSize(width: side, height: 8)) { x, y in UInt8((x * 31 + y * 17) & 255) }
        return try ImageEncoder.encode(PlanarImage(size: plane.size, colorModel: .gray, planes: [plane]), as: .jpeg)
    }

    private func input(
        _ clock: ManualClock = ManualClock(),
        maxBytes: Int? = nil,
        _ change: (inout StreamConfiguration) -> Void = { _ in }
    ) -> StreamInput {
        var configuration = StreamConfiguration()
        configuration.minBytesPerSecond = 0
        change(&configuration)
        let time = QueueTime(now: { clock.now }, call: { clock.call(at: $0, $1) })
        return StreamInput(configuration, limits: MJPEGSplitter.Limits(), maxBytes: maxBytes, time: time)
    }

    @Test func `only the newest frame is kept waiting`() async throws {
        let input = input()
        for side in [16, 24, 32] { input.receive(try Self.jpeg(side)) }
        #expect(await input.inbox.next()?.frame.size.width == 32)
        #expect(input.inbox.dropped == 2)
        async let next = input.inbox.next()
        input.receive(try Self.jpeg(40))
        #expect(await next?.frame.size.width == 40)
        #expect(input.inbox.dropped == 2)
    }

    @Test func `the last frame is delivered before the end`() async throws {
        let input = input()
        input.receive(try Self.jpeg())
        input.end(isComplete: true)
        #expect(await input.inbox.next() != nil)
        #expect(await input.inbox.next() == nil)
        #expect(input.inbox.end?.word == "finished")
    }

    @Test func `a shutdown drops the waiting frame`() async throws {
        let input = input()
        input.receive(try Self.jpeg())
        input.inbox.finish(.shutdown)
        #expect(await input.inbox.next() == nil)
    }

    @Test func `a cancelled task does not wait`() async {
        let input = input()
        let task = Task { await input.inbox.next() }
        task.cancel()
        #expect(await task.value == nil)
        #expect(input.inbox.end?.word == "left")
    }

    @Test func `a stream without frames ends, regardless of the number of bytes`() async throws {
        let clock = ManualClock()
        let input = input(clock) { $0.idleTime = .seconds(10) }
        clock.advance(by: .seconds(9))
        input.receive(try Self.jpeg())
        clock.advance(by: .seconds(9))
        #expect(input.inbox.end == nil)
        input.receive([1, 2, 3])
        clock.advance(by: .seconds(1))
        #expect(input.inbox.end?.word == "idle")
    }

    @Test func `a stream of small frames is too slow even if each arrives before the timeout`() async throws {
        let clock = ManualClock()
        let input = input(clock) {
            $0.minBytesPerSecond = 4096
            $0.window = .seconds(30)
            $0.idleTime = .seconds(10)
        }
        let frame = try Self.jpeg()
        #expect(frame.count < 4096)
        for second in stride(from: 0, to: 30, by: 6) {
            #expect(input.inbox.end == nil, "\(second)")
            input.receive(frame)
            clock.advance(by: .seconds(6))
        }
        #expect(input.inbox.end?.word == "slow")
    }

    @Test func `a stream at the minimum rate continues, and ends after the first window below it`() async throws {
        let clock = ManualClock()
        let input = input(clock) {
            $0.minBytesPerSecond = 100
            $0.window = .seconds(30)
            $0.idleTime = .seconds(600)
        }
        // The bytes of a window may arrive at once.
        let frame = try Self.jpeg() + [UInt8](repeating: 0, count: 3000)
        for _ in 0..<5 {
            input.receive(frame)
            clock.advance(by: .seconds(30))
            #expect(input.inbox.end == nil)
        }
        input.receive([UInt8](repeating: 0, count: 2999))
        clock.advance(by: .seconds(29))
        #expect(input.inbox.end == nil)
        clock.advance(by: .seconds(1))
        #expect(input.inbox.end?.word == "slow")
    }

    @Test func `a stream ends after its maximum duration`() async throws {
        let clock = ManualClock()
        let input = input(clock) { $0.maxTime = .seconds(100) }
        for _ in 0..<20 {
            #expect(input.inbox.end == nil)
            input.receive(try Self.jpeg())
            clock.advance(by: .seconds(5))
        }
        #expect(input.inbox.end?.word == "time")
    }

    @Test(arguments: [nil, 100])
    func `a stream ends after its maximum number of bytes`(maxBytes: Int?) throws {
        let input = input(maxBytes: maxBytes) { if maxBytes == nil { $0.maxBytes = 100 } }
        input.receive([UInt8](repeating: 0, count: 100))
        #expect(input.inbox.end == nil)
        input.receive([0])
        #expect(input.inbox.end?.word == "bytes")
    }

    @Test func `a stream that is not MJPEG ends`() throws {
        let input = input()
        input.receive([UInt8](repeating: 0, count: 100_000))
        #expect(input.inbox.end?.word == "invalid")
    }

    @Test func `a stream of frames that cannot be decoded ends`() {
        let input = input()
        for _ in 0..<90 { input.note(isDecodable: false) }
        input.note(isDecodable: true)
        for _ in 0..<100 { input.note(isDecodable: false) }
        #expect(input.inbox.end == nil)
        input.note(isDecodable: false)
        #expect(input.inbox.end?.word == "invalid")
    }
}
