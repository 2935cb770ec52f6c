import Framing
import Geometry
import TestPacing
import Testing

/// Zoom from the widest crop to the tightest, for every position.
///
/// The tests are serialized and yield, so that server tests are not delayed.
@Suite(.limitedConcurrency, .serialized) struct ZoomTests {
    static let zooms = [0, 0.05, 0.25, 0.5, 0.75, 1]

    @Test(arguments: RandomLayout.batches.prefix(4))
    func `zoom keeps every head that the widest crop keeps, and the requested aspect ratio`(
        seeds: Range<UInt64>
    ) async throws {
        for seed in seeds {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed)
            let widest = try layout.frame()
            for zoom in Self.zooms {
                let frame = try layout.frame(zoom: zoom)
                try #require(PixelRect(layout.size).contains(frame.crop), "seed \(seed): \(layout)")
                for (before, after) in zip(widest.kept, frame.kept) where before {
                    try #require(after, "seed \(seed) zoom \(zoom): \(layout) gave \(frame.crop)")
                }
                let byWidth = abs(Double(frame.crop.width) / layout.aspect.value - Double(frame.crop.height))
                let byHeight = abs(Double(frame.crop.height) * layout.aspect.value - Double(frame.crop.width))
                try #require(min(byWidth, byHeight) <= 1, "seed \(seed) zoom \(zoom): \(frame.crop)")
            }
        }
    }

    @Test(arguments: Placement.plain)
    func `every tighter crop is inside the wider one, within a pixel`(place: Placement) async throws {
        for seed in 0..<2000 as Range<UInt64> {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed, longestSide: seed.isMultiple(of: 2) ? 90 : 3000)
            var last = try layout.frame(place, zoom: 0).crop
            for zoom in Self.zooms {
                let crop = try layout.frame(place, zoom: zoom).crop
                try #require(crop.width <= last.width && crop.height <= last.height, "seed \(seed): \(layout)")
                try #require(
                    crop.x >= last.x - 1 && crop.y >= last.y - 1 && crop.maxX <= last.maxX + 1
                        && crop.maxY <= last.maxY + 1,
                    "seed \(seed) zoom \(zoom): \(layout) gave \(crop) after \(last)"
                )
                last = crop
            }
        }
    }

    @Test(arguments: Placement.plain)
    func `a small increase of zoom moves each edge by a proportional amount`(place: Placement) async throws {
        let steps = 100
        for seed in 0..<200 as Range<UInt64> {
            await Task.yield()
            let layout = RandomLayout(seed: seed, longestSide: 3000)
            let crops = try (0...steps).map { try layout.frame(place, zoom: Double($0) / Double(steps)).crop }
            // A side shrinks evenly between 0 and 1. Rounding adds one pixel at each end, and a fraction of a pixel of
            // the other side.
            let widest = try layout.frame().crop
            let loss = max(widest.width - crops[steps].width, widest.height - crops[steps].height)
            let maximum = loss / steps + Int(max(layout.aspect.value, 1 / layout.aspect.value)) + 3
            for (wide, tight) in zip(crops, crops.dropFirst()) {
                let moves = [tight.x - wide.x, tight.y - wide.y, wide.maxX - tight.maxX, wide.maxY - tight.maxY]
                try #require(
                    moves.allSatisfy { (-1...maximum).contains($0) },
                    "seed \(seed): \(wide) \(tight) \(layout)"
                )
            }
        }
    }

    @Test func `the tightest crop is no larger than heads, padding and aspect ratio require`() throws {
        for seed in 0..<5000 as Range<UInt64> {
            let layout = RandomLayout(seed: seed)
            let widest = try layout.frame()
            guard widest.kept.contains(true) else { continue }
            let crop = try layout.frame(zoom: 1).crop
            // A crop smaller by two pixels would not contain everything that the widest crop keeps: heads, faces, and
            // the padding that fits.
            let kept = zip(layout.subjects, widest.kept).filter(\.1).map(\.0)
            let heads = kept.map { head in
                PixelRect(
                    x: head.head.x - layout.padding,
                    y: head.head.y - layout.padding,
                    width: head.head.width + 2 * layout.padding,
                    height: head.head.height + 2 * layout.padding
                ).intersection(widest.crop)
            }
            let held = heads + layout.subjects.map(\.face).filter(widest.crop.contains)
            let width = (held.map(\.maxX).max() ?? 0) - (held.map(\.x).min() ?? 0)
            let height = (held.map(\.maxY).max() ?? 0) - (held.map(\.y).min() ?? 0)
            try #require(crop.width >= width && crop.height >= height, "seed \(seed): \(layout) gave \(crop)")
            try #require(crop.width <= width + 1 || crop.height <= height + 1, "seed \(seed): \(layout) gave \(crop)")
        }
    }
}
