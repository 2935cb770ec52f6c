/// A symmetric positive definite matrix whose entries lie within a few diagonals, factored as LDLᵀ.
struct BandedMatrix {
    private static let band = LinearPenalties.band
    let size: Int
    /// ``band`` entries for each row: the diagonal, and those to the left of it.
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

    /// Factors the matrix in place; a tiny pivot is raised, for the solution is refined by later steps.
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

    /// Solves for a right side, after ``factor()``.
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
