import Admission
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct DeadlineQueueTests {
    private let clock = ManualClock()

    private func desk(_ places: Int, waiting: Int) -> QueueDesk {
        QueueDesk(places: places, waiting: waiting, clock)
    }

    @Test func `jobs start in order, and each gets the most recently used place`() async throws {
        let desk = desk(2, waiting: 2)
        var jobs: [QueueDesk.Job] = []
        for number in 0..<4 { jobs.append(await desk.submit(number)) }
        #expect(desk.queue.load == (2, 2))
        #expect(desk.started == [0, 1])
        desk.end(1)
        desk.end(0)
        #expect(desk.started == [0, 1, 2, 3])
        desk.end(2)
        desk.end(3)
        // Places 0 and 1 are assigned from the end of the list.
        for (number, place) in [1, 0, 0, 1].enumerated() { #expect(try await jobs[number].value.get() == place) }
        #expect(desk.queue.load == (0, 0))
    }

    @Test(arguments: [(1, 0), (1, 3), (3, 2)])
    func `a job is rejected at once if all places are taken and the queue is full`(places: Int, waiting: Int) async {
        let desk = desk(places, waiting: waiting)
        for number in 0..<(places + waiting) {
            #expect(desk.queue.refusal(of: 0, by: nil) == nil)
            _ = await desk.submit(number)
        }
        let refusal = QueueRefusal.busy(retryAfter: .seconds(1))
        #expect(desk.queue.refusal(of: 9, by: nil) == refusal)
        #expect(await desk.refused(9) == refusal)
        #expect(desk.queue.load == (places, waiting))
        desk.endAll()
    }

    @Test func `a full queue drops the job that the order selects, and the new job waits`() async {
        let desk = desk(1, waiting: 2)
        _ = await desk.submit(0)
        let (large, small) = (await desk.submit(7), await desk.submit(3))
        #expect(await desk.refused(8) == .busy(retryAfter: .seconds(1)))
        let smaller = Task { try await desk.run(1) }
        #expect(await large.value == .failure(.busy(retryAfter: .seconds(1))))
        #expect(await eventually { desk.queue.load == (1, 2) })
        desk.end(0)
        desk.end(3)
        desk.end(1)
        #expect(desk.started == [0, 3, 1])
        _ = try? await smaller.value
        _ = await small.value
    }

    @Test func `a waiting job is rejected at its deadline`() async {
        let desk = desk(1, waiting: 2)
        _ = await desk.submit(0)
        let (waiting, patient) = (await desk.submit(1, within: .seconds(10)), await desk.submit(2))
        clock.advance(by: .seconds(9))
        #expect(desk.queue.load == (1, 2))
        clock.advance(by: .seconds(1))
        #expect(await waiting.value == .failure(.busy(retryAfter: .seconds(1))))
        #expect(desk.queue.load == (1, 1))
        desk.end(0)
        desk.end(2)
        _ = await patient.value
        #expect(desk.started == [0, 2])
    }

    @Test func `a job that runs at its deadline continues, and a late job gets a free place`() async throws {
        let desk = desk(1, waiting: 1)
        let job = await desk.submit(1, within: .seconds(1))
        clock.advance(by: .seconds(2))
        desk.end(1)
        #expect(try await job.value.get() == 0)
        let late = await desk.submit(2, within: .seconds(-1))
        desk.end(2)
        #expect(try await late.value.get() == 0)
    }

    @Test func `a job that cannot start before its deadline is rejected at once with its estimated start`() async {
        let desk = desk(2, waiting: 100)
        _ = await desk.submit(0)
        clock.advance(by: .seconds(10))
        desk.end(0)
        for number in 1...6 { _ = await desk.submit(number) }
        // Four jobs wait; the next job is the fifth job for two places, and each job takes ten seconds.
        let deadline = clock.now + .seconds(25)
        #expect(desk.queue.refusal(of: 0, by: deadline) == nil)
        #expect(desk.queue.refusal(of: 0, by: deadline - .nanoseconds(1)) == .busy(retryAfter: .seconds(25)))
        #expect(await desk.refused(7, within: .seconds(24)) == .busy(retryAfter: .seconds(25)))
        #expect(desk.queue.refusal(of: 0, by: nil) == nil)
        desk.endAll()
    }

    @Test func `a cancelled job never starts if it waits, and is notified if it runs`() async {
        let desk = desk(1, waiting: 1)
        let (running, waiting) = (Cancellation(), Cancellation())
        let first = await desk.submit(0, running)
        let second = await desk.submit(1, waiting)
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        #expect(desk.queue.load == (1, 0))
        first.cancel()
        #expect(running.isCancelled && waiting.isCancelled)
        // The duration of a cancelled job does not affect the estimate.
        clock.advance(by: .seconds(100))
        desk.end(0)
        _ = await first.value
        _ = await desk.submit(2)
        #expect(desk.queue.refusal(of: 0, by: clock.now) == nil)
        desk.end(2)
        #expect(desk.started == [0, 2])
    }

    @Test func `a job that is cancelled before its arrival is rejected even if a place is free`() async {
        let desk = desk(1, waiting: 1)
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(await desk.refused(0, cancellation) == .cancelled)
        #expect(desk.queue.load == (0, 0))
    }

    @Test func `a lost place is used again after it is added`() async throws {
        let desk = desk(1, waiting: 1)
        let first = await desk.submit(0)
        desk.end(0, keepsPlace: false)
        #expect(try await first.value.get() == 0)
        let second = await desk.submit(1)
        #expect(desk.queue.load == (0, 1))
        desk.queue.add(5)
        desk.end(1)
        #expect(try await second.value.get() == 5)
        #expect(desk.queue.removeIdle { $0 == 4 } == [])
        #expect(desk.queue.removeIdle { $0 == 5 } == [5])
        #expect(desk.queue.refusal(of: 0, by: nil) == nil)
        let third = await desk.submit(2)
        third.cancel()
        #expect(await third.value == .failure(.cancelled))
    }
}
