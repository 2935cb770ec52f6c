/// Chooses who is shown over time: the people who matter and speak most, with no change within ``least`` seconds.
///
/// Exact, by dynamic programming over who is shown and for how long already.
package struct FloorSearch {
    /// Seconds between two changes.
    package static let least = 1.5
    /// Steps a second.
    package static let rate = 10.0
    /// The cost of a change, in seconds of speech.
    static let change = 0.8
    /// The cost of a change in a pause.
    static let changeInPause = 0.4

    /// One step of time.
    package struct Step {
        /// What it is worth to show each person, where speech is worth 1.
        package var values: [Double]
        /// Whether nobody speaks.
        package var isPause: Bool

        /// A step.
        package init(values: [Double], isPause: Bool) {
            (self.values, self.isPause) = (values, isPause)
        }
    }

    private static let ages = Int(least * rate)

    /// Whom to show in each step.
    ///
    /// - Parameters:
    ///   - steps: The steps, each with a value for the same people, at least one.
    ///   - start: Who was shown before the first step and for how many steps; nil if a shot begins.
    ///   - isOpen: Whether more steps follow, so that the last choice may be as short as it wants.
    /// - Returns: A person for each step.
    package static func people(
        _ steps: [Step],
        after start: (person: Int, steps: Int)? = nil,
        isOpen: Bool = false
    ) -> [Int] {
        guard let count = steps.first?.values.count, count > 0 else { return [] }
        let states = count * (ages + 1)
        func state(_ person: Int, _ age: Int) -> Int { person * (ages + 1) + age }
        var scores = [Double](repeating: -.infinity, count: states)
        var origins: [[Int32]] = []
        for (number, step) in steps.enumerated() {
            var next = [Double](repeating: -.infinity, count: states)
            var from = [Int32](repeating: -1, count: states)
            func reach(_ target: Int, _ score: Double, _ origin: Int) {
                if score > next[target] { (next[target], from[target]) = (score, Int32(origin)) }
            }
            let cost = (step.isPause ? changeInPause : change) * rate
            if number == 0 {
                for person in 0..<count {
                    guard let start else {
                        reach(state(person, 0), 0, -1)
                        continue
                    }
                    if person == start.person {
                        reach(state(person, min(ages, start.steps)), 0, -1)
                    } else if start.steps >= ages {
                        reach(state(person, 0), -cost, -1)
                    }
                }
            } else {
                for person in 0..<count {
                    for age in 0...ages where scores[state(person, age)] > -.infinity {
                        let here = state(person, age)
                        reach(state(person, min(ages, age + 1)), scores[here], here)
                        guard age == ages else { continue }
                        for other in 0..<count where other != person {
                            reach(state(other, 0), scores[here] - cost, here)
                        }
                    }
                }
            }
            for person in 0..<count {
                for age in 0...ages { next[state(person, age)] += step.values[person] }
            }
            scores = next
            origins.append(from)
        }
        return path(scores, origins, isOpen: isOpen || steps.count <= ages)
    }

    private static func path(_ scores: [Double], _ origins: [[Int32]], isOpen: Bool) -> [Int] {
        let ends = scores.indices.filter { isOpen || $0 % (ages + 1) >= ages - 1 }
        guard var state = ends.max(by: { scores[$0] < scores[$1] }), scores[state] > -.infinity else { return [] }
        var people: [Int] = []
        for origin in origins.reversed() {
            people.append(state / (ages + 1))
            state = Int(origin[state])
        }
        return people.reversed()
    }
}
