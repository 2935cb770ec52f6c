import Admission
import Testing

@Suite struct ByteBudgetTests {
    @Test func `bytes can be taken up to the limit, and the last reference releases them`() {
        let budget = ByteBudget(limit: 100)
        var first = budget.take(60)
        #expect(first?.bytes == 60)
        #expect(budget.take(41) == nil)
        var second = budget.take(40)
        #expect(second != nil)
        #expect(budget.used == 100)
        first = nil
        #expect(budget.used == 40)
        second = nil
        #expect(budget.used == 0)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a reservation grows within the budget and shrinks`() throws {
        let budget = ByteBudget(limit: 100)
        let share = try #require(budget.take(10))
        #expect(share.grow(by: 90))
        #expect(!share.grow(by: 1))
        #expect(share.bytes == 100)
        share.shrink(by: 70)
        #expect(share.bytes == 30)
        #expect(budget.used == 30)
        withExtendedLifetime(share) {}
    }

    @Test func `numbers of any size do not overflow`() throws {
        let budget = ByteBudget(limit: .max)
        let share = try #require(budget.take(.max))
        #expect(budget.take(1) == nil)
        #expect(!share.grow(by: .max))
        withExtendedLifetime(share) {}
    }
}
