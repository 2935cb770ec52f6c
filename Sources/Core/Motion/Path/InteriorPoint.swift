/// Minimises ``LinearPenalties`` by a primal-dual interior point method.
///
/// The dual of the problem has one variable for each penalty, bounded by its two slopes. Newton steps with Mehrotra's
/// predictor and corrector, as in Portnoy and Koenker, "The Gaussian hare and the Laplacian tortoise" (1997), reach the
/// optimum in 15 to 40 steps. Each step is linear in the number of unknowns.
package struct InteriorPoint {
    /// The maximum number of Newton steps; it bounds the time and is not reached in practice.
    static let maxSteps = 80
    /// The relative gap between the primal and the dual value that ends the search.
    static let gap = 1e-8
    /// The length of a step, as a fraction of the distance to the boundary of the feasible region.
    private static let damping = 0.995

    /// The minimum value of a variable that must stay positive.
    private static let minimum = 1e-12

    private let problem: LinearPenalties
    private let steepest: Double
    private var unknowns: [Double]
    /// The distances of the dual variables from their lower and upper bounds, and the multipliers of these bounds.
    private var low: [Double]
    private var high: [Double]
    private var lowPrice: [Double]
    private var highPrice: [Double]

    /// Returns the unknowns that minimise the penalties.
    package static func minimum(of problem: LinearPenalties, from start: [Double]) -> [Double] {
        var search = InteriorPoint(problem, start)
        for _ in 0..<maxSteps where !search.step() {}
        return search.unknowns
    }

    private init(_ problem: LinearPenalties, _ start: [Double]) {
        self.problem = problem
        steepest = problem.above.reduce(0, max)
        unknowns = start
        low = zip(problem.above, problem.below).map { ($0 + $1) / 2 }
        high = low
        let residuals = (0..<problem.count).map { problem.combination($0, start) - problem.offsets[$0] }
        let scale = max(1e-3, residuals.reduce(0) { $0 + abs($1) } / Double(max(1, residuals.count)))
        highPrice = residuals.map { max($0, 0) + scale }
        lowPrice = residuals.map { max(-$0, 0) + scale }
    }

    /// Takes one step; returns true at the optimum.
    private mutating func step() -> Bool {
        let rows = problem.count
        var target = [Double](repeating: 0, count: rows)
        var curvature = [Double](repeating: 0, count: rows)
        var balance = [Double](repeating: 0, count: problem.unknowns)
        var complementarity = 0.0
        var matrix = BandedMatrix(size: problem.unknowns)
        for row in 0..<rows {
            complementarity += low[row] * lowPrice[row] + high[row] * highPrice[row]
            curvature[row] = 1 / (highPrice[row] / high[row] + lowPrice[row] / low[row])
            matrix.add(problem, row: row, weight: curvature[row])
            accumulate(&balance, row, -(low[row] - problem.below[row]))
        }
        let value = problem.value(unknowns)
        let imbalance = balance.reduce(0) { max($0, abs($1)) }
        if complementarity <= Self.gap * (1 + value), imbalance <= Self.gap * (1 + steepest) { return true }
        matrix.factor()

        // The predictor step aims at the optimum.
        for row in 0..<rows { target[row] = mismatch(row) - highPrice[row] + lowPrice[row] }
        let first = direction(matrix, target, curvature, balance)
        let none = [Double](repeating: 0, count: rows)
        let changes = priceChanges(first.dual, none, none)
        var (primal, dual) = longestSteps(first.dual, changes, maximum: 1)
        var predicted = 0.0
        for row in 0..<rows {
            predicted += (low[row] + primal * first.dual[row]) * (lowPrice[row] + dual * changes[row].low)
            predicted += (high[row] - primal * first.dual[row]) * (highPrice[row] + dual * changes[row].high)
        }
        let ratio = predicted / complementarity
        let centre = complementarity / Double(2 * rows) * ratio * ratio * ratio

        // The corrector step aims at the central path, and includes the second-order terms of the predictor.
        var (lowAim, highAim) = (none, none)
        for row in 0..<rows {
            lowAim[row] = centre - first.dual[row] * changes[row].low
            highAim[row] = centre + first.dual[row] * changes[row].high
            target[row] =
                mismatch(row) - highPrice[row] + lowPrice[row] + highAim[row] / high[row] - lowAim[row] / low[row]
        }
        let second = direction(matrix, target, curvature, balance)
        // If rounding errors make the direction infinite or NaN, the search ends with the current point.
        guard second.unknowns.allSatisfy(\.isFinite), second.dual.allSatisfy(\.isFinite) else { return true }
        let corrected = priceChanges(second.dual, lowAim, highAim)
        (primal, dual) = longestSteps(second.dual, corrected, maximum: 1 / Self.damping)
        (primal, dual) = (Self.damping * primal, Self.damping * dual)
        for row in 0..<rows {
            low[row] = max(low[row] + primal * second.dual[row], Self.minimum)
            high[row] = max(high[row] - primal * second.dual[row], Self.minimum)
            lowPrice[row] = max(lowPrice[row] + dual * corrected[row].low, Self.minimum)
            highPrice[row] = max(highPrice[row] + dual * corrected[row].high, Self.minimum)
        }
        for index in unknowns.indices { unknowns[index] += dual * second.unknowns[index] }
        return false
    }

    /// Returns the difference of the prices from the residual of a penalty.
    private func mismatch(_ row: Int) -> Double {
        -(problem.combination(row, unknowns) - problem.offsets[row] - highPrice[row] + lowPrice[row])
    }

    /// Returns the Newton direction of the unknowns and the dual variables.
    private func direction(
        _ matrix: BandedMatrix,
        _ target: [Double],
        _ curvature: [Double],
        _ balance: [Double]
    ) -> (unknowns: [Double], dual: [Double]) {
        var right = balance
        for row in 0..<problem.count { accumulate(&right, row, curvature[row] * target[row]) }
        let change = matrix.solve(right)
        let dual = (0..<problem.count).map { curvature[$0] * (problem.combination($0, change) - target[$0]) }
        return (change, dual)
    }

    /// Returns the changes of each penalty's two prices in a direction.
    private func priceChanges(
        _ dual: [Double],
        _ lowAim: [Double],
        _ highAim: [Double]
    ) -> [(low: Double, high: Double)] {
        dual.indices.map { row in
            let lowChange = (lowAim[row] - low[row] * lowPrice[row] - lowPrice[row] * dual[row]) / low[row]
            let highChange = (highAim[row] - high[row] * highPrice[row] + highPrice[row] * dual[row]) / high[row]
            return (lowChange, highChange)
        }
    }

    /// Returns the longest steps, up to `maximum`, that keep the dual variables and the prices positive.
    private func longestSteps(
        _ dual: [Double],
        _ changes: [(low: Double, high: Double)],
        maximum: Double
    ) -> (primal: Double, price: Double) {
        var (primal, price) = (maximum, maximum)
        for row in dual.indices {
            if dual[row] < 0 {
                primal = min(primal, -low[row] / dual[row])
            } else if dual[row] > 0 {
                primal = min(primal, high[row] / dual[row])
            }
            if changes[row].low < 0 { price = min(price, -lowPrice[row] / changes[row].low) }
            if changes[row].high < 0 { price = min(price, -highPrice[row] / changes[row].high) }
        }
        return (primal, price)
    }

    /// Adds the transposed combination of a penalty.
    private func accumulate(_ sums: inout [Double], _ row: Int, _ factor: Double) {
        for index in 0..<min(LinearPenalties.band, problem.unknowns) {
            sums[problem.starts[row] + index] += factor * problem.coefficients[row * LinearPenalties.band + index]
        }
    }
}

/// A symmetric positive definite matrix whose entries lie within a few diagonals, factored as LDLᵀ.
private struct BandedMatrix {
    private static let band = LinearPenalties.band
    let size: Int
    /// ``band`` entries for each row: the diagonal and the entries to its left.
    private var entries: [Double]

    init(size: Int) {
        self.size = size
        entries = [Double](repeating: 0, count: size * Self.band)
    }

    /// Adds the outer product of a row's coefficients with themselves, times `weight`.
    @inline(__always)
    mutating func add(_ penalties: LinearPenalties, row: Int, weight: Double) {
        let (start, base) = (penalties.starts[row], row * Self.band)
        for index in 0..<min(Self.band, size) {
            let scaled = weight * penalties.coefficients[base + index]
            guard scaled != 0 else { continue }
            for other in 0...index {
                entries[(start + index) * Self.band + index - other] += scaled * penalties.coefficients[base + other]
            }
        }
    }

    /// Factors the matrix in place.
    ///
    /// A tiny pivot is raised, because later steps refine the solution.
    mutating func factor() {
        for row in 0..<size {
            for left in (1..<Self.band).reversed() where left <= row {
                let column = row - left
                var sum = entries[row * Self.band + left]
                for inner in left + 1..<Self.band where inner <= row {
                    sum -=
                        entries[row * Self.band + inner] * entries[column * Self.band + inner - left]
                        * entries[(row - inner) * Self.band]
                }
                entries[row * Self.band + left] = sum / entries[column * Self.band]
            }
            var pivot = entries[row * Self.band]
            for left in 1..<Self.band where left <= row {
                let factor = entries[row * Self.band + left]
                pivot -= factor * factor * entries[(row - left) * Self.band]
            }
            entries[row * Self.band] = max(pivot, 1e-13)
        }
    }

    /// Solves for a right-hand side, after ``factor()``.
    func solve(_ right: [Double]) -> [Double] {
        var values = right
        for row in 0..<size {
            for left in 1..<Self.band where left <= row {
                values[row] -= entries[row * Self.band + left] * values[row - left]
            }
        }
        for row in (0..<size).reversed() {
            values[row] /= entries[row * Self.band]
            for below in 1..<Self.band where row + below < size {
                values[row] -= entries[(row + below) * Self.band + below] * values[row + below]
            }
        }
        return values
    }
}

/// A sum of piecewise linear penalties on combinations of neighbouring unknowns: a linear programme with a banded
/// matrix.
///
/// Each penalty is a function of the residual `r` = `coefficients` · unknowns − `offset`: `above`·r if r is positive,
/// and `below`·(−r) if it is negative.
package struct LinearPenalties {
    /// The maximum number of neighbouring unknowns in one penalty.
    package static let band = 4

    /// The number of unknowns.
    package let unknowns: Int
    package private(set) var starts: [Int] = []
    /// ``band`` coefficients for each penalty.
    package private(set) var coefficients: [Double] = []
    package private(set) var offsets: [Double] = []
    private(set) var above: [Double] = []
    private(set) var below: [Double] = []

    /// Creates an empty sum for a number of unknowns.
    package init(unknowns: Int) { self.unknowns = unknowns }

    /// The number of penalties.
    package var count: Int { starts.count }

    /// Adds a penalty on neighbouring unknowns.
    ///
    /// - Parameters:
    ///   - start: The first of the neighbouring unknowns, counted from 0.
    ///   - coefficients: At most ``band`` factors, for the unknowns that begin with `start`.
    ///   - offset: The value subtracted from the weighted sum to give the residual.
    ///   - above: The price of each unit of a positive residual.
    ///   - below: The price of each unit of a negative residual.
    package mutating func add(_ start: Int, _ coefficients: [Double], offset: Double, above: Double, below: Double) {
        // A penalty on the last unknowns is extended to ``band`` unknowns with leading coefficients of 0.
        let first = min(start, max(0, unknowns - Self.band))
        starts.append(first)
        for index in 0..<Self.band {
            let at = index - (start - first)
            self.coefficients.append(coefficients.indices.contains(at) ? coefficients[at] : 0)
        }
        offsets.append(offset)
        self.above.append(above)
        self.below.append(below)
    }

    /// Returns the weighted sum of the unknowns in penalty `row`.
    @inline(__always)
    func combination(_ row: Int, _ values: [Double]) -> Double {
        var sum = 0.0
        for index in 0..<min(Self.band, unknowns) {
            sum += coefficients[row * Self.band + index] * values[starts[row] + index]
        }
        return sum
    }

    /// Returns the sum of all penalties.
    package func value(_ values: [Double]) -> Double {
        (0..<count).reduce(0) { sum, row in
            let residual = combination(row, values) - offsets[row]
            return sum + (residual > 0 ? above[row] * residual : -below[row] * residual)
        }
    }
}
