import Framing
import Geometry
import TestPacing
import Testing

/// Exclusion areas, which crops avoid.
@Suite(.limitedConcurrency, .serialized) struct AvoidanceTests {
    private static func areas(in size: PixelSize, _ random: inout SeededGenerator) -> [AvoidedArea] {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let rect = PixelRect(
                x: .random(in: 0..<size.width, using: &random),
                y: .random(in: 0..<size.height, using: &random),
                width: .random(in: 1...20, using: &random),
                height: .random(in: 1...20, using: &random)
            )
            return AvoidedArea(rect.intersection(PixelRect(size)), weight: .random(in: 0.01...10, using: &random))
        }
    }

    /// The visible part of the exclusion areas, in pixels, and the distance from another crop.
    private static func rank(_ crop: PixelRect, _ areas: [AvoidedArea], from other: PixelRect) -> (Double, Int) {
        let cost = areas.reduce(0.0) { sum, area in
            var shown = 0
            for y in area.rect.rows where crop.rows.contains(y) {
                shown += area.rect.columns.count { crop.columns.contains($0) }
            }
            return sum + area.weight * Double(shown) / Double(area.rect.area)
        }
        return (cost, abs(crop.x - other.x) + abs(crop.y - other.y))
    }

    @Test(arguments: RandomLayout.batches.prefix(1))
    func `no position with the same heads shows less of the areas or is nearer, on random layouts`(
        seeds: Range<UInt64>
    ) async throws {
        for seed in seeds.prefix(3000) {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed, longestSide: 60)
            var random = SeededGenerator(seed: seed ^ 7)
            let areas = Self.areas(in: layout.size, &random)
            let place = [Placement.center, .keep, .left, .at(x: 0.3, y: 0.6)][Int(seed) % 4]
            let request = layout.request(place, zoom: Double(seed % 3) / 2)
            func frame(_ avoided: [AvoidedArea]) throws -> Frame {
                try Framer.frame(
                    layout.subjects,
                    avoiding: avoided,
                    in: layout.size,
                    aspect: layout.aspect,
                    request: request
                )
            }
            let (plain, frame) = (try frame([]), try frame(areas))
            let comment: Comment = "seed \(seed): \(layout), \(areas) gave \(frame.crop), without \(plain.crop)"
            try #require(frame.crop.size == plain.crop.size && PixelRect(layout.size).contains(frame.crop), comment)
            let before = BruteForce.kept(by: plain.crop, layout.subjects, padding: layout.padding, in: layout.size)
            let after = BruteForce.kept(by: frame.crop, layout.subjects, padding: layout.padding, in: layout.size)
            try #require(zip(before.joined(), after.joined()).allSatisfy { !$0 || $1 }, comment)
            guard plain.kept.contains(true) else {
                try #require(frame.crop == plain.crop, comment)
                continue
            }
            let got = Self.rank(frame.crop, areas, from: plain.crop)
            try #require(got.0 <= Self.rank(plain.crop, areas, from: plain.crop).0 + 1e-6, comment)
            // The reference does not model partly kept padding or tolerance.
            guard layout.isExact, zip(plain.kept, before).allSatisfy({ !$0 || $1[2] }) else { continue }
            guard layout.isEqualAnywhere(try layout.frame().crop) else { continue }
            for other in BruteForce.positions(of: plain.crop.size, in: layout.size) {
                let kept = BruteForce.kept(by: other, layout.subjects, padding: layout.padding, in: layout.size)
                guard zip(before.joined(), kept.joined()).allSatisfy({ !$0 || $1 }) else { continue }
                let rank = Self.rank(other, areas, from: plain.crop)
                try #require(got.0 <= rank.0 + 2e-6, "\(comment): \(other)")
                if rank.0 < got.0 + 1e-9 { try #require(got.1 <= rank.1, "\(comment): \(other)") }
            }
        }
    }

    @Test func `without people any position is allowed`() throws {
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let size = PixelSize(
                width: .random(in: 1...50, using: &random),
                height: .random(in: 1...50, using: &random)
            )
            let areas = Self.areas(in: size, &random)
            let shape = try #require(AspectRatio([1, 2, 0.5][Int(seed) % 3], 1))
            var request = FramingRequest()
            request.fallback = [.center, .top, .point(x: 0.2, y: 0.9), .attention][Int(seed) % 4]
            func crop(_ avoided: [AvoidedArea]) throws -> PixelRect {
                try Framer.frame([], avoiding: avoided, in: size, aspect: shape, request: request).crop
            }
            let (plain, moved) = (try crop([]), try crop(areas))
            let got = Self.rank(moved, areas, from: plain)
            for other in BruteForce.positions(of: plain.size, in: size) {
                let rank = Self.rank(other, areas, from: plain)
                try #require(got.0 <= rank.0 + 2e-6, "seed \(seed): \(moved) and \(other)")
                if rank.0 < got.0 + 1e-9 { try #require(got.1 <= rank.1, "seed \(seed): \(moved) and \(other)") }
            }
        }
    }

    @Test func `a negative weight makes an exclusion area, clipped to the framed area`() {
        let size = PixelSize(width: 100, height: 50)
        let part = PixelRect(x: 20, y: 0, width: 80, height: 50)
        func area(_ x: Double, _ weight: Double) -> FocalArea {
            FocalArea(Region(x: .share(x), y: .share(0), width: .share(0.2), height: .share(1)), weight: weight)
        }
        let expected = AvoidedArea(PixelRect(x: 0, y: 0, width: 10, height: 50), weight: 2)
        #expect(area(0.1, -2).avoided(in: part, of: size) == expected)
        #expect(area(0, -2).avoided(in: part, of: size) == nil)
        #expect(area(0.1, 2).avoided(in: part, of: size) == nil)
        var request = FramingRequest()
        request.focal = [area(0.1, -1)]
        #expect(request.needsAttention(for: []))
        request.focal.append(area(0.5, 1))
        #expect(!request.needsAttention(for: []))
    }
}
