import Admission
import Testing

@Suite struct OneEachOrderTests {
    private static let (first, second) = (Client.network(1), Client.tenant("second"))

    private func line(_ running: [Client?], _ waiting: [Client?], places: Int = 2) -> WaitingLine<Client?> {
        var estimate = TurnEstimate()
        estimate.note(.seconds(1))
        return WaitingLine(
            running: running,
            waiting: waiting,
            places: places,
            estimate: estimate,
            client: { $0 }
        )
    }

    @Test(
        arguments: [
            ([], [], nil), ([], [first, second], 0), ([first], [first, first], nil), ([first], [first, second], 1),
            ([first, second], [first, second], nil), ([nil], [nil], 0), ([first], [first, nil], 1),
        ] as [([Client?], [Client?], Int?)]
    )
    func `a client has one running job, and unknown clients do not count as one client`(
        running: [Client?],
        waiting: [Client?],
        next: Int?
    ) {
        #expect(OneEachOrder().next(in: line(running, waiting)) == next)
    }

    @Test func `a full queue drops the last job of the client with the most jobs`() {
        let order = OneEachOrder()
        let full = line([Self.first], [Self.first, Self.first, Self.second, Self.first])
        #expect(order.displaced(by: Self.second, in: full) == 3)
        #expect(order.displaced(by: Self.first, in: full) == nil)
    }

    @Test func `a client waits for its own jobs, and for one job of each other client per turn`() {
        let order = OneEachOrder()
        let many = line([Self.first], Array(repeating: Self.first, count: 9))
        #expect(order.wait(of: Self.first, in: many) == .seconds(10))
        #expect(
            order.wait(of: Self.second, in: line([Self.first, nil], Array(repeating: Self.first, count: 9)))
                == .seconds(1)
        )
    }
}
