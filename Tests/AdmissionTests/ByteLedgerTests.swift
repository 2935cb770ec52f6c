import Admission
import Testing

@Suite struct ByteLedgerTests {
    private let one = Client.tenant("one")
    private let other = Client.network(1)

    @Test func `a client can use at most three quarters, and the rest is free for other clients`() {
        var ledger = ByteLedger(limit: 100)
        ledger.add(70, for: one)
        #expect(ledger.refusal(of: 5, for: one) == nil)
        #expect(ledger.refusal(of: 6, for: one) == .client)
        #expect(ledger.refusal(of: 30, for: other) == nil)
        #expect(ledger.refusal(of: 31, for: other) == .all)
        #expect(ledger.refusal(of: 30, for: nil) == nil)
        ledger.remove(70, for: one)
        #expect(ledger.used == 0 && ledger.held(by: one) == 0)
    }

    @Test func `a client without reservations may take the whole budget`() {
        var ledger = ByteLedger(limit: 100)
        #expect(ledger.refusal(of: 100, for: one) == nil)
        #expect(ledger.refusal(of: 101, for: one) == .all)
        ledger.add(100, for: one)
        #expect(ledger.refusal(of: 1, for: one) == .client)
        ledger.remove(30, for: one)
        #expect(ledger.refusal(of: 5, for: one) == nil)
        #expect(ledger.refusal(of: 6, for: one) == .client)
    }

    @Test func `the share does not apply to the unknown client`() {
        var ledger = ByteLedger(limit: 100)
        ledger.add(90, for: nil)
        #expect(ledger.refusal(of: 10, for: nil) == nil)
        #expect(ledger.refusal(of: 11, for: nil) == .all)
    }

    @Test func `the largest item always fits into a share`() {
        #expect(ByteLedger(limit: 100, minimum: 80).limitPerClient == 80)
        #expect(ByteLedger(limit: 100, minimum: 200).limitPerClient == 100)
        #expect(ByteLedger(limit: 100, minimum: 10).limitPerClient == 75)
    }

    @Test func `the bytes of a budget count for the client that took them`() throws {
        let budget = ByteBudget(limit: 100)
        let share = try #require(budget.take(50, for: one))
        #expect(!share.grow(by: 26))
        #expect(share.grow(by: 25))
        #expect(budget.take(1, for: one) == nil)
        #expect(!budget.hasRoom(for: 1, of: one) && budget.hasRoom(for: 25, of: other))
        share.shrink(by: 40)
        let second = try #require(budget.take(40, for: one))
        #expect(budget.used == 75)
        withExtendedLifetime((share, second)) {}
    }
}
