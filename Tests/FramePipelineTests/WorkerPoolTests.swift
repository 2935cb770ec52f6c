import Foundation
import FramePipeline
import Synchronization
import TestPacing
import Testing

@Suite(.takingTurns) struct WorkerPoolTests {
    private typealias Pool = WorkerPool<Int>

    private func pool(_ workers: Int, queue: Int, bytes: Int = 1000) -> Pool {
        let next = Atomic(0)
        return Pool(.init(workers: workers, queueLimit: queue, maxBytesInFlight: bytes)) {
            next.add(1, ordering: .relaxed).newValue
        }
    }

    /// Starts a job that waits for the signal, and waits until the pool has taken it.
    private func occupy(
        _ pool: Pool,
        until signal: Signal,
        bytes: Int = 1,
        id: Int = 0,
        record: Record = Record()
    ) async -> Task<Int, any Error> {
        let before = pool.load
        let task = Task {
            try await pool.run(bytes: bytes) { _, _, _ throws(PipelineError) in
                record.add(id)
                signal.wait()
                return id
            }
        }
        #expect(await eventually { pool.load.running + pool.load.waiting > before.running + before.waiting })
        return task
    }

    private func isOverloaded(_ error: PipelineError?) -> Bool {
        guard case .overloaded(let delay) = error else { return false }
        return delay >= .seconds(1)
    }

    @Test func `a job gets a context, and its result comes back`() async throws {
        let pool = pool(1, queue: 0)
        let result = try await pool.run(bytes: 1) { context, waited, _ throws(PipelineError) in
            context += 10
            return (context, waited)
        }
        #expect(result.0 == 11)
        #expect(result.1 >= .zero)
        let again = try await pool.run(bytes: 1) { context, _, _ throws(PipelineError) in context }
        #expect(again == 11)
        #expect(pool.load == Pool.Load())
    }

    @Test func `what a job throws comes back, and frees its worker`() async throws {
        let pool = pool(1, queue: 0)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in throw PipelineError.detector("broken") }
        }
        guard case .detector("broken") = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(pool.load == Pool.Load())
        #expect(try await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in 5 } == 5)
    }

    @Test func `waiting jobs start in the order they came`() async throws {
        let pool = pool(1, queue: 10)
        let signal = Signal()
        let record = Record()
        var tasks: [Task<Int, any Error>] = []
        for id in 0..<6 { tasks.append(await occupy(pool, until: signal, id: id, record: record)) }
        #expect(pool.load.running == 1)
        #expect(pool.load.waiting == 5)
        for _ in tasks { signal.send() }
        for task in tasks { _ = try await task.value }
        #expect(record.entries == [0, 1, 2, 3, 4, 5])
    }

    @Test(arguments: [(1, 0), (1, 3), (2, 0), (3, 2)])
    func `as many run and wait as may, and the next is refused at once`(workers: Int, queue: Int) async throws {
        let pool = pool(workers, queue: queue)
        let signal = Signal()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<(workers + queue) {
            #expect(!pool.isSaturated)
            tasks.append(await occupy(pool, until: signal))
        }
        #expect(pool.isSaturated)
        #expect(pool.load == Pool.Load(running: workers, waiting: queue, bytesInFlight: workers))
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in 0 }
        }
        #expect(isOverloaded(error))
        for _ in tasks { signal.send() }
        for task in tasks { _ = try await task.value }
        #expect(pool.load == Pool.Load())
        #expect(!pool.isSaturated)
    }

    @Test func `as many jobs as there are workers are never refused, also when they come at once`() async throws {
        let pool = pool(4, queue: 0)
        for _ in 0..<1000 {
            let done = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask { (try? await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in true }) ?? false }
                }
                var done = 0
                for await isDone in group where isDone { done += 1 }
                return done
            }
            #expect(done == 4)
        }
    }

    @Test func `jobs wait for memory, in their order`() async throws {
        let pool = pool(3, queue: 10, bytes: 100)
        let signals = (0..<4).map { _ in Signal() }
        let record = Record()
        let first = await occupy(pool, until: signals[0], bytes: 60, id: 0, record: record)
        let large = await occupy(pool, until: signals[1], bytes: 70, id: 1, record: record)
        // It would fit, but what came first goes first: a large picture must not wait for ever.
        let small = await occupy(pool, until: signals[2], bytes: 10, id: 2, record: record)
        #expect(pool.load == Pool.Load(running: 1, waiting: 2, bytesInFlight: 60))
        signals[0].send()
        _ = try await first.value
        #expect(await eventually { record.entries.count == 3 })
        #expect(pool.load == Pool.Load(running: 2, waiting: 0, bytesInFlight: 80))
        signals[1].send()
        signals[2].send()
        _ = try await (large.value, small.value)
        #expect(pool.load == Pool.Load())
    }

    @Test func `a job that needs all memory runs, and one that needs more is refused for good`() async throws {
        let pool = pool(2, queue: 2, bytes: 100)
        #expect(try await pool.run(bytes: 100) { _, _, _ throws(PipelineError) in 1 } == 1)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(bytes: 101) { _, _, _ throws(PipelineError) in 1 }
        }
        guard case .tooMuchMemory(bytes: 101, limit: 100) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test func `a waiting job that is cancelled leaves the queue and never runs`() async throws {
        let pool = pool(1, queue: 1)
        let signal = Signal()
        let record = Record()
        let running = await occupy(pool, until: signal, id: 0, record: record)
        let waiting = await occupy(pool, until: signal, id: 1, record: record)
        #expect(pool.isSaturated)
        waiting.cancel()
        let error = await #expect(throws: PipelineError.self) { try await waiting.value }
        guard case .cancelled = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(!pool.isSaturated)
        signal.send()
        _ = try await running.value
        #expect(record.entries == [0])
        #expect(pool.load == Pool.Load())
    }

    @Test func `a large job that is cancelled lets those behind it start`() async throws {
        let pool = pool(2, queue: 4, bytes: 100)
        let signal = Signal()
        let record = Record()
        let running = await occupy(pool, until: signal, bytes: 60, id: 0, record: record)
        let large = await occupy(pool, until: signal, bytes: 90, id: 1, record: record)
        let small = await occupy(pool, until: signal, bytes: 10, id: 2, record: record)
        #expect(record.entries == [0])
        large.cancel()
        #expect(await eventually { record.entries == [0, 2] })
        signal.send()
        signal.send()
        _ = try await (running.value, small.value)
        #expect(pool.load == Pool.Load())
    }

    @Test func `a running job is told that nobody waits for it`() async throws {
        let pool = pool(1, queue: 0)
        let signal = Signal()
        let task = Task {
            try await pool.run(bytes: 1) { _, _, cancellation throws(PipelineError) in
                signal.wait()
                if cancellation.isCancelled { throw PipelineError.cancelled }
            }
        }
        #expect(await eventually { pool.load.running == 1 })
        task.cancel()
        signal.send()
        await #expect(throws: PipelineError.self) { try await task.value }
        #expect(pool.load == Pool.Load())
    }

    @Test func `a task that is cancelled before it asks does no work`() async throws {
        let pool = pool(1, queue: 0)
        let record = Record()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in record.add(1) }
        }
        task.cancel()
        await #expect(throws: PipelineError.self) { try await task.value }
        #expect(record.entries == [])
        #expect(await eventually { pool.load == Pool.Load() })
    }

    @Test func `whatever comes and goes, every job ends once and nothing stays behind`() async throws {
        let pool = pool(3, queue: 8, bytes: 100)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<400 {
                group.addTask {
                    let task = Task {
                        try await pool.run(bytes: 1 + id % 100) { context, _, _ throws(PipelineError) in context }
                    }
                    if id % 3 == 0 { task.cancel() }
                    return (try? await task.value) != nil
                }
            }
            var count = 0
            for await _ in group { count += 1 }
            return count
        }
        #expect(outcomes == 400)
        #expect(await eventually { pool.load == Pool.Load() })
        #expect(!pool.isSaturated)
        #expect(try await pool.run(bytes: 100) { _, _, _ throws(PipelineError) in 1 } == 1)
    }

    @Test func `a job whose turn cannot come in time is refused at once, however much room the queue has`() async throws
    {
        let pool = pool(2, queue: 1000)
        // A worker is held this long at least, so 400 jobs before another on two workers are 20 seconds.
        try await pool.run(bytes: 1) { _, _, _ throws(PipelineError) in Thread.sleep(forTimeInterval: 0.1) }
        let signal = Signal()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<402 { tasks.append(await occupy(pool, until: signal)) }
        let deadline = ContinuousClock.now + .seconds(20)
        #expect(pool.refusal(by: deadline) != nil)
        #expect(pool.refusal(by: nil) == nil)
        #expect(!pool.isSaturated)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(bytes: 1, by: deadline) { _, _, _ throws(PipelineError) in 0 }
        }
        #expect(.now < deadline)
        guard case .overloaded(let delay) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(delay >= .seconds(20))
        #expect(pool.load.waiting == 400)
        for _ in tasks { signal.send() }
        for task in tasks { _ = try await task.value }
    }

    @Test func `a job that still waits at its deadline is refused then, though no worker is free`() async throws {
        let pool = pool(1, queue: 10)
        let signal = Signal()
        let record = Record()
        let running = await occupy(pool, until: signal, id: 0, record: record)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(bytes: 1, by: .now + .milliseconds(50)) { _, _, _ throws(PipelineError) in record.add(1)
            }
        }
        #expect(isOverloaded(error))
        #expect(pool.load == Pool.Load(running: 1, waiting: 0, bytesInFlight: 1))
        signal.send()
        _ = try await running.value
        #expect(record.entries == [0])
    }

    @Test func `a job with a deadline that has passed is done when nobody has to wait`() async throws {
        let pool = pool(1, queue: 0)
        #expect(try await pool.run(bytes: 1, by: .now) { _, _, _ throws(PipelineError) in 1 } == 1)
    }

    @Test func `a context that cannot be made makes no pool`() {
        struct NoContext: Error {}
        #expect(throws: NoContext.self) {
            try WorkerPool<Int>(.init(workers: 2, queueLimit: 0, maxBytesInFlight: 1)) { throw NoContext() }
        }
    }
}
