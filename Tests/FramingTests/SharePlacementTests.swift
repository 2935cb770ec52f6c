import Framing
import Geometry
import TestPacing
import Testing

/// People at fractional positions in the crop.
@Suite(.limitedConcurrency, .serialized) struct SharePlacementTests {
    private static func place(_ seed: UInt64, _ random: inout SeededGenerator) -> Placement {
        if seed.isMultiple(of: 5) { return .keep }
        func share() -> Double {
            [0, 0.25, 0.5, 1, Double.random(in: 0...1, using: &random)].randomElement(using: &random) ?? 0
        }
        return .at(x: share(), y: share())
    }

    /// The preferred start of a crop along an axis, so that the centre of the faces is at a fraction of the crop.
    private static func wanted(_ faces: (Int, Int), _ share: Double?, length: Int, of side: Int) -> Double {
        let middle = Double(faces.0 + faces.1) / 2
        return middle - (share ?? middle / Double(side)) * Double(length)
    }

    @Test(arguments: RandomLayout.batches.prefix(2))
    func `no position that keeps the same people is nearer to the requested fraction, on random layouts`(
        seeds: Range<UInt64>
    ) async throws {
        for seed in seeds {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed)
            var random = SeededGenerator(seed: seed ^ 99)
            let place = Self.place(seed, &random)
            let (centred, frame) = (try layout.frame(), try layout.frame(place))
            let crop = frame.crop
            let comment: Comment = "seed \(seed) \(place): \(layout) gave \(crop), centred \(centred.crop)"
            try #require(PixelRect(layout.size).contains(crop), comment)
            let before = BruteForce.kept(by: centred.crop, layout.subjects, padding: layout.padding, in: layout.size)
            let after = BruteForce.kept(by: crop, layout.subjects, padding: layout.padding, in: layout.size)
            try #require(zip(before.joined(), after.joined()).allSatisfy { !$0 || $1 }, comment)
            guard centred.kept.contains(true) else {
                try #require(crop == centred.crop, comment)
                continue
            }
            // The minimum is two thirds of the sides, and place=keep does not need a smaller crop.
            try #require(3 * crop.width >= 2 * centred.crop.width - 3, comment)
            try #require(3 * crop.height >= 2 * centred.crop.height - 3, comment)
            if place == .keep { try #require(crop.size == centred.crop.size, comment) }
            guard layout.isExact, zip(centred.kept, before).allSatisfy({ !$0 || $1[2] }) else { continue }
            guard layout.isEqualAnywhere(centred.crop) else { continue }
            let faces = layout.subjects.map(\.face).filter(centred.crop.contains)
            let across = (faces.map(\.x).min() ?? 0, faces.map(\.maxX).max() ?? 0)
            let down = (faces.map(\.y).min() ?? 0, faces.map(\.maxY).max() ?? 0)
            var shares: (x: Double?, y: Double?) = (nil, nil)
            if case .at(let x, let y) = place { shares = (x, y) }
            let wish = (
                x: Self.wanted(across, shares.x, length: crop.width, of: layout.size.width),
                y: Self.wanted(down, shares.y, length: crop.height, of: layout.size.height)
            )
            var nearest = (x: Double.infinity, y: Double.infinity)
            for other in BruteForce.positions(of: crop.size, in: layout.size) {
                let kept = BruteForce.kept(by: other, layout.subjects, padding: layout.padding, in: layout.size)
                guard zip(before.joined(), kept.joined()).allSatisfy({ !$0 || $1 }) else { continue }
                nearest.x = min(nearest.x, abs(Double(other.x) - wish.x))
                nearest.y = min(nearest.y, abs(Double(other.y) - wish.y))
            }
            try #require(abs(Double(crop.x) - wish.x) <= nearest.x + 0.51, comment)
            try #require(abs(Double(crop.y) - wish.y) <= nearest.y + 0.51, comment)
        }
    }

    @Test(arguments: [
        // A face of 100 pixels in the centre of 1200×600 pixels; a square crop.
        (Placement.at(x: 0.5, y: 0.5), PixelRect(x: 300, y: 0, width: 600, height: 600)),
        (.at(x: 0.25, y: 0.5), PixelRect(x: 450, y: 0, width: 600, height: 600)),
        (.at(x: 1, y: 0.5), PixelRect(x: 53, y: 0, width: 600, height: 600)),
        (.at(x: 0.5, y: 0.4), PixelRect(x: 350, y: 100, width: 500, height: 500)),
        (.at(x: 0.5, y: 0), PixelRect(x: 400, y: 200, width: 400, height: 400)),
        (.keep, PixelRect(x: 300, y: 0, width: 600, height: 600)),
    ])
    func `a fractional position moves the crop and shrinks it as much as necessary`(
        place: Placement,
        crop: PixelRect
    ) throws {
        let head = PixelRect(x: 550, y: 250, width: 100, height: 100)
        var request = FramingRequest()
        request.padding = .pixels(3)
        request.place = place
        let frame = try Framer.frame(
            [Subject(face: head, head: head)],
            in: PixelSize(width: 1200, height: 600),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.crop == crop)
    }

    @Test func `people keep their relative position in the image`() throws {
        var request = FramingRequest()
        request.place = .keep
        for x in stride(from: 0, through: 900, by: 60) {
            let head = PixelRect(x: x, y: 100, width: 100, height: 100)
            let frame = try Framer.frame(
                [Subject(face: head, head: head)],
                in: PixelSize(width: 1000, height: 400),
                aspect: AspectRatio(1, 1),
                request: request
            )
            let before = Double(x + 50) / 1000
            let after = Double(x + 50 - frame.crop.x) / Double(frame.crop.width)
            // Heads near the edges need more space than these fractions leave.
            #expect(abs(before - after) < 0.08, "\(x): \(frame.crop)")
        }
    }
}
