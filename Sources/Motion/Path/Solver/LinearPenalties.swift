/// A sum of piecewise linear penalties of combinations of neighbouring unknowns: a linear programme with a banded matrix.
///
/// Each penalty is a function of the residual `r` = `coefficients` · unknowns − `offset`: `above`·r if r is positive, and
/// `below`·(−r) if it is negative.
package struct LinearPenalties {
    /// The most neighbouring unknowns in one penalty.
    package static let band = 4

    /// The number of unknowns.
    package let unknowns: Int
    package private(set) var starts: [Int] = []
    /// ``band`` coefficients for each penalty.
    package private(set) var coefficients: [Double] = []
    package private(set) var offsets: [Double] = []
    private(set) var above: [Double] = []
    private(set) var below: [Double] = []

    /// No penalties of a number of unknowns.
    package init(unknowns: Int) { self.unknowns = unknowns }

    /// The number of penalties.
    package var count: Int { starts.count }

    /// Adds a penalty of the unknowns from `start` on.
    package mutating func add(_ start: Int, _ coefficients: [Double], offset: Double, above: Double, below: Double) {
        // The unused coefficients of the last unknowns belong to none.
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

    /// The combination of penalty `row`.
    @inline(__always)
    func combination(_ row: Int, _ values: [Double]) -> Double {
        var sum = 0.0
        for index in 0..<min(Self.band, unknowns) {
            sum += coefficients[row * Self.band + index] * values[starts[row] + index]
        }
        return sum
    }

    /// The sum of all penalties.
    package func value(_ values: [Double]) -> Double {
        (0..<count).reduce(0) { sum, row in
            let residual = combination(row, values) - offsets[row]
            return sum + (residual > 0 ? above[row] * residual : -below[row] * residual)
        }
    }
}
