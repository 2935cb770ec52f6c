import Pipeline
import Synchronization
import TestPacing
import Testing
import Workers

@Suite(.limitedConcurrency) struct WorkerPoolTests {
    private typealias Pool = WorkerPool<Int>

    private func pool(_ workers: Int, queue: Int, _ clock: ManualClock = ManualClock()) -> Pool {
        let next = Atomic(0)
        return Pool(.init(workers: workers, queueLimit: queue, maxBytesInFlight: 1), time: clock.queueTime) {
            next.add(1, ordering: .relaxed).newValue
        }
    }

    /// Starts a job that waits for the signal, and returns when the pool has accepted the job.
    private func occupy(
        _ pool: Pool,
        until signal: Signal,
        id: Int = 0,
        record: Record = Record()
    ) async -> Task<Int, any Error> {
        let before = pool.load
        let task = Task {
            try await pool.run { _, _ throws(PipelineError) in
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

    @Test func `a job gets a resource, and its result is returned`() async throws {
        let pool = pool(1, queue: 0)
        let result = try await pool.run { resource, waited throws(PipelineError) in
            resource += 10
            return (resource, waited)
        }
        #expect(result.0 == 11)
        #expect(result.1 >= .zero)
        let again = try await pool.run { resource, _ throws(PipelineError) in resource }
        #expect(again == 11)
        #expect(pool.load == PoolLoad())
    }

    @Test func `an error in a job is thrown to its caller, and its worker is free again`() async throws {
        let pool = pool(1, queue: 0)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run { _, _ throws(PipelineError) in throw PipelineError.detector("broken") }
        }
        guard case .detector("broken") = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(pool.load == PoolLoad())
        #expect(try await pool.run { _, _ throws(PipelineError) in 5 } == 5)
    }

    @Test func `waiting jobs start in the order of their arrival`() async throws {
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
    func `a job beyond the workers and the queue is rejected at once`(workers: Int, queue: Int) async throws {
        let pool = pool(workers, queue: queue)
        let signal = Signal()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<(workers + queue) {
            #expect(!pool.isSaturated)
            tasks.append(await occupy(pool, until: signal))
        }
        #expect(pool.isSaturated)
        #expect(pool.load == PoolLoad(running: workers, waiting: queue))
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run { _, _ throws(PipelineError) in 0 }
        }
        #expect(isOverloaded(error))
        for _ in tasks { signal.send() }
        for task in tasks { _ = try await task.value }
        #expect(pool.load == PoolLoad())
        #expect(!pool.isSaturated)
    }

    @Test func `a pool always accepts one job per worker, even at the same time`() async throws {
        let pool = pool(4, queue: 0)
        for _ in 0..<1000 {
            let done = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask { (try? await pool.run { _, _ throws(PipelineError) in true }) ?? false }
                }
                var done = 0
                for await isDone in group where isDone { done += 1 }
                return done
            }
            #expect(done == 4)
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
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(!pool.isSaturated)
        signal.send()
        _ = try await running.value
        #expect(record.entries == [0])
        #expect(pool.load == PoolLoad())
    }

    @Test func `cancelling the waiting task cancels the context of its running job`() async throws {
        let pool = pool(1, queue: 0)
        let signal = Signal()
        let task = Task {
            let context = JobContext()
            try await pool.run(context) { _, _ throws(PipelineError) in
                signal.wait()
                try context.check()
            }
        }
        #expect(await eventually { pool.load.running == 1 })
        task.cancel()
        signal.send()
        await #expect(throws: PipelineError.self) { try await task.value }
        #expect(pool.load == PoolLoad())
    }

    @Test func `a task that is cancelled before its request starts no job`() async throws {
        let pool = pool(1, queue: 0)
        let record = Record()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await pool.run { _, _ throws(PipelineError) in record.add(1) }
        }
        task.cancel()
        await #expect(throws: PipelineError.self) { try await task.value }
        #expect(record.entries == [])
        #expect(await eventually { pool.load == PoolLoad() })
    }

    @Test func `with random cancellations every job ends once, and the pool is empty afterwards`() async throws {
        let pool = pool(3, queue: 8)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for id in 0..<400 {
                group.addTask {
                    let task = Task {
                        try await pool.run { resource, _ throws(PipelineError) in resource }
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
        #expect(await eventually { pool.load == PoolLoad() })
        #expect(!pool.isSaturated)
        #expect(try await pool.run { _, _ throws(PipelineError) in 1 } == 1)
    }

    @Test func `a job that cannot start in time is rejected at once, even if the queue has room`() async throws {
        let clock = ManualClock()
        let pool = pool(2, queue: 1000, clock)
        // With this duration, 400 earlier jobs on two workers take 20 seconds.
        try await pool.run { _, _ throws(PipelineError) in clock.advance(by: .milliseconds(100)) }
        let signal = Signal()
        var tasks: [Task<Int, any Error>] = []
        for _ in 0..<402 { tasks.append(await occupy(pool, until: signal)) }
        let deadline = clock.now + .seconds(20)
        #expect(pool.refusal(by: deadline) != nil)
        #expect(pool.refusal(by: nil) == nil)
        #expect(!pool.isSaturated)
        let error = await #expect(throws: PipelineError.self) {
            try await pool.run(JobContext(deadline: deadline)) { _, _ throws(PipelineError) in 0 }
        }
        guard case .overloaded(let delay) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(delay == .milliseconds(20_050))
        #expect(pool.load.waiting == 400)
        for _ in tasks { signal.send() }
        for task in tasks { _ = try await task.value }
    }

    @Test func `a waiting job is rejected at its deadline even if no worker is free`() async throws {
        let clock = ManualClock()
        let pool = pool(1, queue: 10, clock)
        let signal = Signal()
        let record = Record()
        let running = await occupy(pool, until: signal, id: 0, record: record)
        let waiting = Task {
            try await pool.run(JobContext(deadline: clock.now + .seconds(10))) { _, _ throws(PipelineError) in
                record.add(1)
            }
        }
        #expect(await eventually { clock.timers == 1 })
        #expect(pool.load == PoolLoad(running: 1, waiting: 1))
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: PipelineError.self) { try await waiting.value }
        #expect(isOverloaded(error))
        #expect(pool.load == PoolLoad(running: 1))
        signal.send()
        _ = try await running.value
        #expect(record.entries == [0])
    }

    @Test func `a job whose deadline has passed still runs if a worker is free`() async throws {
        let pool = pool(1, queue: 0)
        #expect(try await pool.run(JobContext(deadline: .now - .seconds(1))) { _, _ throws(PipelineError) in 1 } == 1)
    }

    @Test func `creating a pool fails if a resource cannot be created`() {
        struct NoResource: Error {}
        #expect(throws: NoResource.self) {
            try WorkerPool<Int>(.init(workers: 2, queueLimit: 0, maxBytesInFlight: 1)) { throw NoResource() }
        }
    }
}
