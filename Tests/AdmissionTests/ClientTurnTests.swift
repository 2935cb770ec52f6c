import Admission
import TestPacing
import Testing

/// The order of several clients in one queue.
@Suite(.limitedConcurrency) struct ClientTurnTests {
    private let many = Client.tenant("many")
    private let few = Client.network(1)

    private func line(_ running: [QueueJob], _ waiting: [QueueJob], places: Int) -> WaitingLine<QueueJob> {
        var estimate = TurnEstimate()
        estimate.note(.seconds(1))
        return WaitingLine(
            running: running,
            waiting: waiting,
            places: places,
            estimate: estimate,
            client: { $0.client }
        )
    }

    @Test(arguments: [1, 2, 4])
    func `a client's job is next, regardless of the number of waiting jobs of another client`(places: Int) async {
        let desk = ClientDesk(places: places, waiting: 200)
        for _ in 0..<(places + 100) { _ = await desk.submit(many) }
        for _ in 0..<5 {
            let job = await desk.submit(few)
            desk.end(many)
            #expect(desk.started.last == few)
            desk.end(few)
            guard case .success = await job.value else {
                Issue.record("the job was rejected")
                break
            }
            #expect(desk.started.last == many)
        }
        #expect(desk.running(many) == places)
        desk.endAll()
    }

    @Test(arguments: [1, 2, 3, 8]) func `clients with many jobs get equal shares`(places: Int) async {
        let clients = (0..<4).map { Client.network($0) }
        let desk = ClientDesk(places: places, waiting: 400)
        for client in clients { for _ in 0..<40 { _ = await desk.submit(client) } }
        let first = desk.started.count
        for _ in 0..<80 { desk.endFirst() }
        let later = desk.started.dropFirst(first)
        for client in clients {
            let count = later.count { $0 == client }
            #expect((15...25).contains(count), "\(client): \(count) of 80")
        }
        desk.endAll()
    }

    @Test func `jobs of one client, and jobs of unknown clients, start in order of arrival`() async {
        for client in [many, nil] {
            let desk = ClientDesk(places: 1, waiting: 10)
            var jobs: [ClientDesk.Job] = []
            for _ in 0..<6 { jobs.append(await desk.submit(client)) }
            for (index, job) in jobs.enumerated() {
                desk.end(client)
                guard case .success(index + 1) = await job.value else {
                    Issue.record("job \(index + 1) was not the next")
                    return
                }
            }
        }
    }

    @Test func `in a full queue a job displaces the last job of a client that has more jobs`() async {
        let desk = ClientDesk(places: 1, waiting: 4)
        var others: [ClientDesk.Job] = []
        for _ in 0..<5 { others.append(await desk.submit(many)) }
        #expect(desk.queue.isFull)
        // The client with the most jobs cannot displace a job.
        await #expect(throws: QueueRefusal.busy(retryAfter: .seconds(1))) { try await desk.run(many) }
        let first = await desk.submit(few)
        let second = await desk.submit(few)
        for refused in others.suffix(2) {
            guard case .failure(.busy(let time)) = await refused.value else {
                Issue.record("the job was not displaced")
                return
            }
            #expect(time >= .seconds(1))
        }
        // Both clients now have two of the four waiting places.
        #expect(desk.queue.load == (1, 4))
        await #expect(throws: QueueRefusal.self) { try await desk.run(few) }
        await #expect(throws: QueueRefusal.self) { try await desk.run(many) }
        // A third client has no waiting job.
        let third = await desk.submit(.network(3))
        desk.endAll()
        var ended = 0
        for job in [first, second, third] + others.prefix(3) {
            if case .success = await job.value { ended += 1 }
        }
        #expect(ended == 5)
        #expect(desk.queue.load == (0, 0))
    }

    @Test func `the turn of a cancelled job goes to another job`() async {
        let desk = ClientDesk(places: 1, waiting: 10)
        for _ in 0..<4 { _ = await desk.submit(many) }
        let job = await desk.submit(few)
        job.cancel()
        guard case .failure(.cancelled) = await job.value else {
            Issue.record("the job was not cancelled")
            return
        }
        desk.end(many)
        #expect(desk.started.last == many)
        _ = await desk.submit(few)
        desk.end(many)
        #expect(desk.started.last == few)
        desk.endAll()
        #expect(desk.queue.load == (0, 0))
    }

    @Test func `a single place alternates between a client's costly jobs and another client's usual jobs`() async {
        let desk = ClientDesk(places: 1, waiting: 10)
        for _ in 0..<4 { _ = await desk.submit(many) }
        _ = await desk.submit(few, .high)
        desk.end(many)
        #expect(desk.started.last == few)
        desk.endAll()
    }

    @Test func `the estimate counts only the jobs that start earlier`() {
        let order = CostOrder()
        let (a, b) = (QueueJob(.usual, client: many), QueueJob(.usual, client: few))
        let flood = line([a, a], Array(repeating: a, count: 60), places: 2)
        #expect(order.wait(of: b, in: flood) == .seconds(0.5))
        #expect(order.wait(of: a, in: flood) == .seconds(30.5))
        // The client has two waiting jobs, so with the new job each client gets three turns. One more job of the other
        // client is first.
        let both = line([a, a], Array(repeating: a, count: 60) + [b, b], places: 2)
        #expect(order.wait(of: b, in: both) == .seconds(2))
        // For a client with many jobs, all jobs of a client with few jobs count.
        #expect(order.wait(of: a, in: both) == .seconds(31.5))
    }

    @Test func `the next job is always the first job of a client with the fewest running jobs`() {
        var random = SystemRandomNumberGenerator()
        let clients: [Client?] = [.tenant("a"), .tenant("b"), .network(1), nil]
        for _ in 0..<2000 {
            let places = Int.random(in: 2...6, using: &random)
            func jobs(_ count: Int) -> [QueueJob] {
                (0..<count).map { _ in
                    QueueJob(
                        Int.random(in: 0..<4, using: &random) == 0 ? .high : .usual,
                        client: clients.randomElement(using: &random) ?? nil
                    )
                }
            }
            let (running, waiting) = (
                jobs(Int.random(in: 0..<places, using: &random)), jobs(Int.random(in: 1...12, using: &random))
            )
            let line = line(running, waiting, places: places)
            guard let next = CostOrder().next(in: line) else {
                Issue.record("no job is next")
                continue
            }
            let mayBeCostly = running.count { $0.cost == .high } < places / 2 || !waiting.contains { $0.cost == .usual }
            let candidates = waiting.indices.filter { mayBeCostly || waiting[$0].cost == .usual }
            #expect(candidates.contains(next))
            let fewest = candidates.map { index in running.count { $0.client == waiting[index].client } }.min()
            #expect(running.count { $0.client == waiting[next].client } == fewest)
            #expect(candidates.first { waiting[$0].client == waiting[next].client } == next)
        }
    }
}
