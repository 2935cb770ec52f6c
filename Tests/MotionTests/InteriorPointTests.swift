import Motion
import Testing

@Suite struct InteriorPointTests {
    /// A generator of numbers that are the same in each run.
    private struct Numbers {
        var state: UInt64
        mutating func next(_ range: ClosedRange<Double>) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11) / Double(1 << 53)
        }
    }

    private func random(_ seed: UInt64, unknowns: Int) -> LinearPenalties {
        var numbers = Numbers(state: seed)
        var problem = LinearPenalties(unknowns: unknowns)
        for at in 0..<unknowns {
            let offset = numbers.next(-1...1)
            problem.add(at, [1], offset: offset, above: numbers.next(0.1...5), below: numbers.next(0.1...5))
            problem.add(at, [1], offset: numbers.next(-1...1), above: numbers.next(0.1...5), below: 0)
        }
        for order in [[-1.0, 1], [1, -2, 1], [-1, 3, -3, 1]] where unknowns >= order.count {
            for at in 0...(unknowns - order.count) {
                let weight = numbers.next(0.1...5)
                problem.add(at, order, offset: 0, above: weight, below: weight)
            }
        }
        return problem
    }

    /// The minimum value at a vertex: a point where the residuals of n independent penalties are 0, where n is the
    /// number of unknowns.
    ///
    /// A linear programme has an optimum at one of its vertices.
    private func exhaustive(_ problem: LinearPenalties) -> Double {
        var best = Double.infinity
        func visit(_ chosen: [Int], from first: Int) {
            if chosen.count == problem.unknowns {
                if let point = solved(chosen, problem) { best = min(best, problem.value(point)) }
                return
            }
            for row in first..<problem.count where problem.count - row >= problem.unknowns - chosen.count {
                visit(chosen + [row], from: row + 1)
            }
        }
        visit([], from: 0)
        return best
    }

    /// The point where the residuals of some penalties are 0, found by Gaussian elimination with pivoting.
    private func solved(_ rows: [Int], _ problem: LinearPenalties) -> [Double]? {
        let count = problem.unknowns
        var matrix = rows.map { row in
            var line = [Double](repeating: 0, count: count + 1)
            for index in 0..<min(LinearPenalties.band, count) {
                line[problem.starts[row] + index] = problem.coefficients[row * LinearPenalties.band + index]
            }
            line[count] = problem.offsets[row]
            return line
        }
        for column in 0..<count {
            let pivot = (column..<count).max { abs(matrix[$0][column]) < abs(matrix[$1][column]) } ?? column
            guard abs(matrix[pivot][column]) > 1e-9 else { return nil }
            matrix.swapAt(pivot, column)
            for row in 0..<count where row != column {
                let factor = matrix[row][column] / matrix[column][column]
                for index in column...count { matrix[row][index] -= factor * matrix[column][index] }
            }
        }
        return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
    }

    @Test(arguments: 1...4, [UInt64(1), 2, 3, 4, 5])
    func `the optimum equals the result of an exhaustive search over vertices`(unknowns: Int, seed: UInt64) {
        let problem = random(seed, unknowns: unknowns)
        let found = InteriorPoint.minimum(of: problem, from: [Double](repeating: 0, count: unknowns))
        let expected = exhaustive(problem)
        #expect(abs(problem.value(found) - expected) <= 1e-6 * (1 + expected))
    }

    @Test func `no small change to one or two adjacent values improves a long path`() {
        let problem = random(9, unknowns: 200)
        let found = InteriorPoint.minimum(of: problem, from: [Double](repeating: 0, count: 200))
        let value = problem.value(found)
        for at in 0..<200 {
            for length in [1, 2, 5, 50] {
                for step in [-1e-3, 1e-3] {
                    var moved = found
                    for index in at..<min(200, at + length) { moved[index] += step }
                    #expect(problem.value(moved) >= value - 1e-6 * value)
                }
            }
        }
    }

    @Test func `the same problem has the same solution`() {
        let problem = random(7, unknowns: 60)
        let start = [Double](repeating: 0.5, count: 60)
        #expect(InteriorPoint.minimum(of: problem, from: start) == InteriorPoint.minimum(of: problem, from: start))
    }
}
