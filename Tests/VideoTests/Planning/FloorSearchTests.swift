import Testing
import Video

@Suite struct FloorSearchTests {
    private static let minimum = Int(FloorSearch.minimum * FloorSearch.rate)

    /// Steps in which the given person speaks; -1 means silence.
    private func steps(_ speakers: [Int], people: Int = 2) -> [FloorSearch.Step] {
        speakers.map { speaker in
            FloorSearch.Step(values: (0..<people).map { $0 == speaker ? 1.0 : 0 }, isPause: speaker < 0)
        }
    }

    private func runs(_ people: [Int]) -> [(person: Int, count: Int)] {
        people.reduce(into: []) { runs, person in
            if runs.last?.person == person { runs[runs.count - 1].count += 1 } else { runs.append((person, 1)) }
        }
    }

    @Test func `the active speaker changes within half a second of the speech`() {
        let shown = FloorSearch.people(steps([Int](repeating: 0, count: 40) + [Int](repeating: 1, count: 40)))
        let turns = runs(shown)
        #expect(turns.map(\.person) == [0, 1])
        #expect(abs(turns[0].count - 40) <= 5)
    }

    @Test(arguments: [2, 5, 8])
    func `an interjection does not change the active speaker`(length: Int) {
        var speakers = [Int](repeating: 0, count: 60)
        for index in 30..<30 + length { speakers[index] = 1 }
        #expect(runs(FloorSearch.people(steps(speakers))).count == 1)
    }

    @Test func `the active speaker is kept for at least a second and a half`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            let speakers = (0..<90).map { _ in Int.random(in: -1...2, using: &generator) }
            let shown = FloorSearch.people(steps(speakers, people: 3))
            #expect(shown.count == 90)
            #expect(runs(shown).allSatisfy { $0.count >= Self.minimum })
        }
    }

    @Test func `a change waits for a pause that is near`() {
        // Both people speak for a while, then both are silent.
        let both = FloorSearch.Step(values: [1, 1], isPause: false)
        let pause = FloorSearch.Step(values: [0, 0], isPause: true)
        let first = FloorSearch.Step(values: [1, 0], isPause: false)
        let second = FloorSearch.Step(values: [0, 1], isPause: false)
        let all =
            [FloorSearch.Step](repeating: first, count: 30) + [FloorSearch.Step](repeating: both, count: 5) + [pause]
            + [FloorSearch.Step](repeating: second, count: 30)
        let turns = runs(FloorSearch.people(all))
        #expect(turns.map(\.person) == [0, 1])
        #expect(turns[0].count == 35)
    }

    @Test func `a known start is continued`() {
        let speakers = steps([Int](repeating: 1, count: 30))
        #expect(FloorSearch.people(speakers, after: (0, 3), isOpen: true).prefix(12).allSatisfy { $0 == 0 })
        #expect(FloorSearch.people(speakers, after: (0, 3), isOpen: true).last == 1)
        #expect(FloorSearch.people(speakers, after: (0, 100), isOpen: true).first == 1)
        #expect(FloorSearch.people(steps([0, 0, 0]), after: (1, 0), isOpen: true) == [1, 1, 1])
        #expect(FloorSearch.people([]) == [])
    }

    /// The best division into turns of at least ``minimum`` steps, found by trying all divisions.
    private func naive(_ steps: [FloorSearch.Step]) -> Double {
        let people = steps[0].values.count
        var sums = [[Double]](repeating: [0], count: people)
        for person in 0..<people {
            for step in steps { sums[person].append((sums[person].last ?? 0) + step.values[person]) }
        }
        func cost(_ step: FloorSearch.Step) -> Double { (step.isPause ? 0.4 : 0.8) * FloorSearch.rate }
        func best(from start: Int, except last: Int) -> Double {
            var maximum = -Double.infinity
            for person in 0..<people where person != last {
                let price = start == 0 ? 0 : cost(steps[start])
                let ends = Array(start + Self.minimum..<max(start + Self.minimum, steps.count)) + [steps.count]
                for end in ends where end <= steps.count && (end - start >= Self.minimum) {
                    let rest = end == steps.count ? 0 : best(from: end, except: person)
                    maximum = max(maximum, sums[person][end] - sums[person][start] - price + rest)
                }
            }
            return maximum
        }
        return best(from: 0, except: -1)
    }

    @Test(arguments: 0..<12)
    func `the chosen division is the best of all`(seed: Int) {
        var state = UInt64(seed * 7919 + 1)
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        var (speaker, all): (Int, [FloorSearch.Step]) = (0, [])
        for _ in 0..<52 {
            if next() < 0.08 { speaker = Int(next() * 3) }
            let values = (0..<3).map { ($0 == speaker ? 0.7 : 0.1) + 0.3 * next() }
            all.append(FloorSearch.Step(values: values, isPause: next() < 0.2))
        }
        let shown = FloorSearch.people(all)
        var value = 0.0
        for (index, person) in shown.enumerated() {
            value += all[index].values[person]
            if index > 0, shown[index - 1] != person { value -= (all[index].isPause ? 0.4 : 0.8) * FloorSearch.rate }
        }
        #expect(abs(value - naive(all)) < 1e-9)
    }
}
