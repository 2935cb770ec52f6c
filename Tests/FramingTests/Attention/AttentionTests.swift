import Framing
import Geometry
import TestPacing
import Testing

/// Crops that a profile places, against an exhaustive search.
@Suite(.limitedConcurrency) struct AttentionTests {
    @Test(arguments: 0..<200)
    func `no crop position scores higher than the chosen one`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let length = Int.random(in: 1...300, using: &random)
        let count = Int.random(in: 1...120, using: &random)
        let weights = (0..<count).map { _ in
            Bool.random(using: &random) ? 0 : Int.random(in: 0...50_000, using: &random)
        }
        let part = Int.random(in: 1...length, using: &random)
        let expected = ExpectedSubject.allCases.randomElement(using: &random) ?? .people
        let prior = AttentionSearch.Prior.self
        let chosen = Bool.random(using: &random) ? prior.across(expecting: expected) : prior.down(expecting: expected)
        let search = AttentionSearch(weights, detail: [0], imageLength: length, prior: chosen)
        let best = search.best(length: part, startingIn: 0...(length - part))
        let naive = NaiveAttention(weights: weights, imageLength: length, prior: chosen)
        let scores = (0...(length - part)).map { naive.score(start: $0, length: part, last: length - part) }
        let highest = scores.max() ?? 0
        #expect(abs(scores[best] - highest) < 1e-9)
        #expect(abs(search.score(start: best, length: part, startingIn: 0...(length - part)) - highest) < 1e-9)
    }

    @Test(arguments: [
        ("1:1", 0, PixelRect(x: 0, y: 0, width: 300, height: 300)),
        ("1:1", 9, PixelRect(x: 700, y: 0, width: 300, height: 300)),
    ])
    func `the crop goes where the weight is`(aspect: String, column: Int, crop: PixelRect) throws {
        var columns = [Int](repeating: 0, count: 10)
        columns[column] = 100
        let frame = try attend(AttentionProfile(columns, [1, 1, 1]), aspect, width: 1000, height: 300)
        #expect(frame.crop == crop)
        #expect(frame.decision == .attention)
    }

    @Test(arguments: [
        (14, 0, "little more in the middle is no reason to stay there"),
        (16, 350, "the middle has half as much detail again"),
    ])
    func `the middle keeps its place where much of the detail is`(middle: Int, x: Int, why: Comment) throws {
        // Skin on the left, say, and something else in the middle.
        let profile = AttentionProfile(
            drawing: .init(columns: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0], rows: [1]),
            detail: .init(columns: [10, 0, 0, 0, middle / 2, middle / 2, 0, 0, 0, 0], rows: [1])
        )
        #expect(try attend(profile, "1:1", width: 1000, height: 300).crop.x == x, why)
    }

    @Test(arguments: [(ExpectedSubject.people, 0), (.things, 360)])
    func `people are expected at the top, and things near the middle`(expected: ExpectedSubject, y: Int) throws {
        let blank = AttentionProfile(drawing: .empty, expecting: expected)
        #expect(try attend(blank, "5:4", width: 300, height: 1000).crop.y == y)
    }

    @Test func `where things are expected, a smaller share of the detail keeps the crop in the middle`() throws {
        for (expected, x) in [(ExpectedSubject.people, 0), (.things, 350)] {
            let profile = AttentionProfile(
                drawing: .init(columns: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0], rows: [1]),
                detail: .init(columns: [10, 0, 0, 0, 7, 7, 0, 0, 0, 0], rows: [1]),
                expecting: expected
            )
            #expect(try attend(profile, "1:1", width: 1000, height: 300).crop.x == x)
        }
    }

    @Test func `a picture without detail is cropped in the middle, or at the top`() throws {
        let wide = try attend(.empty, "1:1", width: 1000, height: 300)
        #expect(wide.crop == PixelRect(x: 350, y: 0, width: 300, height: 300))
        let tall = try attend(.empty, "1:1", width: 300, height: 1000)
        #expect(tall.crop == PixelRect(x: 0, y: 0, width: 300, height: 300))
    }

    @Test(arguments: ["10:11", "1:1", "1:2", "1:9"])
    func `a uniform picture is cropped in the middle`(aspect: String) throws {
        let even = AttentionProfile([Int](repeating: 7, count: 50), [Int](repeating: 7, count: 50))
        let crop = try attend(even, aspect, width: 1000, height: 1000).crop
        #expect(abs(2 * crop.x + crop.width - 1000) <= 1)
    }

    @Test func `an edge goes through a gap rather than through a person`() throws {
        // Two of the same, too far apart for one crop, that would end flush with one of them to be in the middle.
        var columns = [Int](repeating: 0, count: 20)
        (columns[4], columns[15]) = (50, 50)
        let crop = try attend(AttentionProfile(columns, [1]), "1:2", width: 1000, height: 1000).crop
        for edge in [crop.x, crop.maxX] {
            for someone in [200..<250, 750..<800] {
                #expect(edge <= someone.lowerBound - 20 || edge >= someone.upperBound + 20)
            }
        }
        #expect(crop.x <= 180 || crop.maxX >= 820)
    }

    @Test(arguments: [0.25, 0.5, 1])
    func `zoom takes away at most a third of each side and stays inside the widest crop`(zoom: Double) throws {
        let profile = AttentionProfile([1, 1, 1, 1, 1, 1, 9, 1], [1, 1, 8, 1, 1, 1])
        let widest = try attend(profile, "1:1", width: 900, height: 600).crop
        let crop = try attend(profile, "1:1", width: 900, height: 600, zoom: zoom).crop
        #expect(widest.contains(crop))
        #expect(crop.width == crop.height)
        #expect(crop.width < widest.width)
        #expect(crop.width >= 400)
        // What weighs the most is still in it.
        #expect(crop.contains(PixelRect(x: 675, y: 200, width: 112, height: 100)))
    }

    @Test func `faces decide before attention does, which is used only without faces`() throws {
        let people = [face(100, 100, 50, 50)]
        var request = FramingRequest()
        #expect(!request.needsAttention(for: people))
        #expect(request.needsAttention(for: []))
        request.gravity = .face(2)
        #expect(request.needsAttention(for: people))
        request.fallback = .center
        #expect(!request.needsAttention(for: people))
        request.gravity = .attention
        #expect(request.needsAttention(for: people))
        request.gravity = .top
        request.fallback = .attention
        #expect(!request.needsAttention(for: []))
    }

    @Test func `the widest line and the heaviest weights do not overflow`() throws {
        let heavy = AttentionProfile([0, AttentionProfile.mostWeight], [AttentionProfile.mostWeight])
        let crop = try attend(heavy, "1:1", width: 65_535, height: 65_500).crop
        #expect(crop == PixelRect(x: 35, y: 0, width: 65_500, height: 65_500))
    }

    private func attend(
        _ profile: AttentionProfile,
        _ aspect: String,
        width: Int,
        height: Int,
        zoom: Double = 0
    ) throws -> Frame {
        var request = FramingRequest()
        request.gravity = .attention
        request.zoom = zoom
        let ratio = try #require(shape(aspect))
        let size = PixelSize(width: width, height: height)
        return try Framer.frame([], in: size, aspect: ratio, request: request, attention: profile)
    }
}

extension AttentionProfile {
    fileprivate init(_ columns: [Int], _ rows: [Int]) { self.init(drawing: Lines(columns: columns, rows: rows)) }
}

/// The same rules, pixel by pixel.
private struct NaiveAttention {
    let pixels: [Double]
    let prior: AttentionSearch.Prior

    init(weights: [Int], imageLength: Int, prior: AttentionSearch.Prior) {
        let all = Double(max(1, weights.reduce(0, +)))
        let (length, count) = (Double(imageLength), Double(weights.count))
        pixels = (0..<imageLength).map { pixel in
            // What of each stretch lies in this pixel.
            let (from, to) = (Double(pixel) * count / length, Double(pixel + 1) * count / length)
            return weights.enumerated().reduce(0) { sum, stretch in
                let share = max(0, min(to, Double(stretch.offset + 1)) - max(from, Double(stretch.offset)))
                return sum + Double(stretch.element) * share / all
            }
        }
        self.prior = prior
    }

    func score(start: Int, length: Int, last: Int) -> Double {
        let aimed = prior.aim * Double(pixels.count) - Double(length) / 2
        let away = abs(Double(start) - min(max(0, aimed), Double(last))) / Double(pixels.count)
        return pixels[start..<(start + length)].reduce(0, +) - prior.pull * away
            - prior.cutFirst * cut(start) - prior.cutLast * cut(start + length)
    }

    private func cut(_ edge: Int) -> Double {
        guard edge > 0, edge < pixels.count, pixels.reduce(0, +) > 0 else { return 0 }
        let reach = max(1, Int((Double(pixels.count) * 0.02).rounded()))
        let part = pixels[max(0, edge - reach)..<min(pixels.count, edge + reach)]
        return part.reduce(0, +) - Double(part.count) / Double(pixels.count)
    }
}
