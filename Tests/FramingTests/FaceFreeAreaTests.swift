import Framing
import Geometry
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct FaceFreeAreaTests {
    /// An exhaustive search over all rectangles in the crop: slow, but obviously correct.
    private static func naive(_ crop: PixelRect, _ heads: [PixelRect]) -> PixelRect? {
        var best: PixelRect?
        for x in crop.x..<crop.maxX {
            for y in crop.y..<crop.maxY {
                for width in 1...(crop.maxX - x) {
                    for height in 1...(crop.maxY - y) {
                        let rect = PixelRect(x: x, y: y, width: width, height: height)
                        guard heads.allSatisfy({ $0.intersection(rect).area == 0 }) else { break }
                        if best.map({ order(rect).lexicographicallyPrecedes(order($0)) }) ?? true { best = rect }
                    }
                }
            }
        }
        return best
    }

    /// The order of preference: the largest first, then the widest, the highest, the leftmost.
    private static func order(_ rect: PixelRect) -> [Int] { [-rect.area, -rect.width, rect.y, rect.x] }

    @Test func `the area equals the result of an exhaustive search`() throws {
        for seed in 0..<4000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            func length(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
            let crop = PixelRect(x: length(0...3), y: length(0...3), width: length(1...8), height: length(1...8))
            // Some heads are outside the crop, some cross its edges, and some overlap each other.
            let heads = (0..<length(0...5)).map { _ in
                PixelRect(x: length(-2...10), y: length(-2...10), width: length(0...6), height: length(0...6))
            }
            let found = FaceFreeArea.largest(in: crop, heads: heads)
            try #require(found == Self.naive(crop, heads), "seed \(seed): \(crop) \(heads)")
        }
    }

    private static let crop = PixelRect(x: 100, y: 50, width: 400, height: 200)

    @Test(
        arguments: [
            ([], PixelRect(x: 100, y: 50, width: 400, height: 200)),
            ([PixelRect(x: 140, y: 80, width: 60, height: 90)], PixelRect(x: 200, y: 50, width: 300, height: 200)),
            ([PixelRect(x: 400, y: 80, width: 60, height: 90)], PixelRect(x: 100, y: 50, width: 300, height: 200)),
            // If the areas on both sides are equal, the left area is chosen. If the areas below and next to the heads
            // are equal, the wider area is chosen.
            ([PixelRect(x: 250, y: 50, width: 100, height: 200)], PixelRect(x: 100, y: 50, width: 150, height: 200)),
            ([PixelRect(x: 200, y: 50, width: 200, height: 150)], PixelRect(x: 100, y: 200, width: 400, height: 50)),
            ([PixelRect(x: 180, y: 50, width: 210, height: 150)], PixelRect(x: 390, y: 50, width: 110, height: 200)),
            ([PixelRect(x: 200, y: 50, width: 200, height: 149)], PixelRect(x: 100, y: 199, width: 400, height: 51)),
            ([PixelRect(x: 600, y: 50, width: 100, height: 200)], PixelRect(x: 100, y: 50, width: 400, height: 200)),
            ([PixelRect(x: 0, y: 0, width: 900, height: 900)], nil),
        ] as [([PixelRect], PixelRect?)]
    )
    func `the area is next to, above or below the heads`(heads: [PixelRect], free: PixelRect?) {
        #expect(FaceFreeArea.largest(in: Self.crop, heads: heads) == free)
    }

    @Test func `the search handles a thousand adjacent faces`() throws {
        let heads = (0..<1000).map { PixelRect(x: $0 % 40 * 100 + 5, y: $0 / 40 * 100 + 5, width: 90, height: 90) }
        let crop = PixelRect(x: 0, y: 0, width: 4000, height: 2500)
        // The gap between two columns has 25,000 pixels, the gap between two rows 40,000.
        #expect(FaceFreeArea.largest(in: crop, heads: heads) == PixelRect(x: 0, y: 95, width: 4000, height: 10))
    }
}
