import Caching
import Synchronization
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SingleFlightTests {
    /// Work that runs until it is released, and counts its runs.
    private final class Work: Sendable {
        let started = Atomic(0)
        let cancelled = Atomic(0)
        private let isOpen = Atomic(false)

        func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

        func run() async -> Int {
            let number = started.add(1, ordering: .sequentiallyConsistent).newValue
            while !isOpen.load(ordering: .sequentiallyConsistent) {
                if Task.isCancelled {
                    cancelled.add(1, ordering: .sequentiallyConsistent)
                    break
                }
                await Task.yield()
            }
            return number
        }

        var starts: Int { started.load(ordering: .sequentiallyConsistent) }
        var cancellations: Int { cancelled.load(ordering: .sequentiallyConsistent) }
    }

    @Test func `a thousand simultaneous requests run the work once`() async {
        let flights = SingleFlight<String, Int>()
        let work = Work()
        await withTaskGroup(of: SingleFlight<String, Int>.Completion?.self) { group in
            for _ in 0..<1000 { group.addTask { await flights.join("a") { await work.run() } } }
            #expect(await eventually { flights.joined == 999 })
            work.open()
            var arrivals: [SingleFlight<String, Int>.Completion?] = []
            for await arrival in group { arrivals.append(arrival) }
            #expect(arrivals.allSatisfy { $0?.value == 1 })
            #expect(arrivals.count { $0?.isJoined == false } == 1)
        }
        #expect(work.starts == 1)
        #expect(flights.count == 0)
    }

    @Test func `a request after the work ends runs it again, and other keys run separately`() async {
        let flights = SingleFlight<String, Int>()
        let work = Work()
        work.open()
        #expect(await flights.join("a") { await work.run() }?.value == 1)
        #expect(await flights.join("a") { await work.run() }?.value == 2)
        #expect(await flights.join("b") { await work.run() }?.isJoined == false)
    }

    @Test func `if the first request is cancelled, the others continue`() async {
        let flights = SingleFlight<String, Int>()
        let work = Work()
        let leader = Task { await flights.join("a") { await work.run() } }
        #expect(await eventually { work.starts == 1 })
        let others = (0..<10).map { _ in Task { await flights.join("a") { await work.run() } } }
        #expect(await eventually { flights.joined == 10 })
        leader.cancel()
        #expect(await leader.value == nil)
        #expect(flights.count == 1)
        work.open()
        for other in others { #expect(await other.value?.value == 1) }
        #expect(work.starts == 1 && work.cancellations == 0)
    }

    @Test func `the last request that is cancelled also cancels the work, and the next request restarts it`() async {
        let flights = SingleFlight<String, Int>()
        let work = Work()
        let waiting = (0..<5).map { _ in Task { await flights.join("a") { await work.run() } } }
        #expect(await eventually { flights.joined == 4 })
        for task in waiting { task.cancel() }
        for task in waiting { #expect(await task.value == nil) }
        #expect(await eventually { work.cancellations == 1 })
        #expect(flights.count == 0)
        work.open()
        #expect(await flights.join("a") { await work.run() }?.value == 2)
    }

    @Test func `a request that is cancelled before its start runs no work`() async {
        let flights = SingleFlight<String, Int>()
        let work = Work()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await flights.join("a") { await work.run() }
        }
        task.cancel()
        #expect(await task.value == nil)
        #expect(work.starts == 0 && flights.count == 0)
    }
}
