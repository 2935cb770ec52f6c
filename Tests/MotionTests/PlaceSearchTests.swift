import Framing
import Geometry
import Motion
import Testing

@Suite struct PlaceSearchTests {
    /// The maximum sum over all sequences of positions, found by trying all sequences.
    private func exhaustive(_ values: [[Double]], cost: Double, reach: Int) -> Double {
        func best(_ frame: Int, from place: Int) -> Double {
            guard frame < values.count else { return 0 }
            return values[frame].indices.filter { abs($0 - place) <= reach }.map { next in
                values[frame][next] - cost * Double(abs(next - place)) + best(frame + 1, from: next)
            }.max() ?? 0
        }
        return values[0].indices.map { values[0][$0] + best(1, from: $0) }.max() ?? 0
    }

    private func total(_ path: [Int], _ values: [[Double]], cost: Double) -> Double {
        let moves = zip(path.dropFirst(), path).reduce(0) { $0 + abs($1.0 - $1.1) }
        return zip(path, values).reduce(0) { $0 + $1.1[$1.0] } - cost * Double(moves)
    }

    @Test(arguments: [0.05, 0.3, 1, 4], [1, 2, 5])
    func `the chosen sequence of positions is the best of all`(cost: Double, reach: Int) {
        let seed = 7 * reach + 3
        let values = (0..<6).map { frame in
            (0..<5).map { place in Double((frame * 31 + place * 17 + seed * frame * place + seed) % 23) / 7 }
        }
        var sequence = BestSequence(places: values[0].count, cost: cost, reach: reach)
        for row in values { sequence.add(row) }
        let path = sequence.best
        #expect(zip(path.dropFirst(), path).allSatisfy { abs($0 - $1) <= reach })
        #expect(abs(total(path, values, cost: cost) - exhaustive(values, cost: cost, reach: reach)) < 1e-9)
    }
}
