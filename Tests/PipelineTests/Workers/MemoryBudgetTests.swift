import Admission
import Pipeline
import TestPacing
import Testing
import Workers

@Suite(.limitedConcurrency) struct MemoryBudgetTests {
    /// Takes memory in a task, records this, and releases the memory after the signal.
    private func take(
        _ bytes: Int,
        of budget: MemoryBudget,
        id: Int = 0,
        record: Record = Record(),
        until signal: Signal = Signal(),
        _ context: JobContext = JobContext()
    ) async -> Task<Void, any Error> {
        let before = (budget.used, budget.waiting)
        let pool = WorkerPool<Void>(.init(workers: 1, queueLimit: 0, maxBytesInFlight: 1)) {}
        let task = Task {
            try await pool.run(context) { _, _ throws(PipelineError) in
                try budget.take(bytes, context)
                record.add(id)
                signal.wait()
                budget.give(bytes, of: context.limits.client)
            }
        }
        #expect(await eventually { (budget.used, budget.waiting) != before })
        return task
    }

    @Test func `jobs wait for memory and start in order`() async throws {
        let budget = MemoryBudget(limit: 100)
        let signals = (0..<3).map { _ in Signal() }
        let record = Record()
        let first = await take(60, of: budget, id: 0, record: record, until: signals[0])
        let large = await take(70, of: budget, id: 1, record: record, until: signals[1])
        // The memory would suffice, but jobs start in order; otherwise a large job could wait forever.
        let small = await take(10, of: budget, id: 2, record: record, until: signals[2])
        #expect(budget.used == 60)
        #expect(budget.waiting == 2)
        #expect(record.entries == [0])
        signals[0].send()
        try await first.value
        #expect(await eventually { record.entries.count == 3 })
        #expect(budget.used == 80)
        signals[1].send()
        signals[2].send()
        _ = try await (large.value, small.value)
        #expect(budget.used == 0)
    }

    @Test func `a job may use the whole budget, and a job that needs more is rejected permanently`() throws {
        let budget = MemoryBudget(limit: 100)
        try budget.take(100)
        budget.give(100)
        for bytes in [101, Int.max] {
            let error = #expect(throws: PipelineError.self) { try budget.take(bytes) }
            guard case .tooMuchMemory(bytes, limit: 100) = error else {
                Issue.record("unexpected error: \(String(describing: error))")
                return
            }
        }
        #expect(budget.used == 0)
    }

    @Test func `when a large waiting job is cancelled, the jobs behind it start`() async throws {
        let budget = MemoryBudget(limit: 100)
        let signal = Signal()
        let record = Record()
        let running = await take(60, of: budget, id: 0, record: record, until: signal)
        let large = await take(90, of: budget, id: 1, record: record, until: signal)
        let small = await take(10, of: budget, id: 2, record: record, until: signal)
        #expect(record.entries == [0])
        large.cancel()
        let error = await #expect(throws: PipelineError.self) { try await large.value }
        guard case .cancelled = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(await eventually { record.entries == [0, 2] })
        signal.send()
        signal.send()
        _ = try await (running.value, small.value)
        #expect(budget.used == 0)
    }

    @Test func `a job without memory at its deadline is rejected, and the jobs behind it start`() async throws {
        let budget = MemoryBudget(limit: 100)
        let signal = Signal()
        let running = await take(60, of: budget, until: signal)
        let error = #expect(throws: PipelineError.self) {
            try budget.take(50, JobContext(deadline: .now))
        }
        guard case .overloaded = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(budget.waiting == 0)
        try budget.take(40, JobContext(deadline: .now))
        budget.give(40)
        signal.send()
        try await running.value
        #expect(budget.used == 0)
    }
}

/// The fair shares of clients.
extension MemoryBudgetTests {
    private func context(_ client: Client) -> JobContext {
        var limits = JobLimits()
        limits.client = client
        return JobContext(limits: limits)
    }

    @Test func `a client that waits for its fair share lets others pass`() async throws {
        let budget = MemoryBudget(limit: 100)
        let (many, few) = (Client.tenant("many"), Client.tenant("few"))
        let signals = (0..<4).map { _ in Signal() }
        let record = Record()
        let first = await take(60, of: budget, id: 0, record: record, until: signals[0], context(many))
        let second = await take(30, of: budget, id: 1, record: record, until: signals[1], context(many))
        #expect(budget.waiting == 1)
        let other = await take(40, of: budget, id: 2, record: record, until: signals[2], context(few))
        #expect(await eventually { record.entries == [0, 2] })
        signals[0].send()
        try await first.value
        #expect(await eventually { record.entries == [0, 2, 1] })
        signals[1].send()
        signals[2].send()
        _ = try await (second.value, other.value)
        #expect(budget.used == 0)
        // Released memory no longer counts, and a single client may use the whole budget.
        let whole = await take(100, of: budget, id: 3, record: record, until: signals[3], context(many))
        #expect(await eventually { budget.used == 100 })
        signals[3].send()
        try await whole.value
    }
}
