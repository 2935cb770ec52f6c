import Framing
import Geometry
import TestPacing
import Testing

/// Crops that an attention profile places, compared with an exhaustive search.
@Suite(.limitedConcurrency) struct AttentionTests {
    @Test(arguments: 0..<200)
    func `no crop position scores higher than the chosen position`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let length = Int.random(in: 1...300, using: &random)
        let count = Int.random(in: 1...120, using: &random)
        var weights = (0..<count).map { _ in
            Bool.random(using: &random) ? 0 : Int.random(in: 0...50_000, using: &random)
        }
        weights[count / 2] += 1
        let part = Int.random(in: 1...length, using: &random)
        let axis = AttentionSearch.Axis.allCases.randomElement(using: &random) ?? .across
        let search = AttentionSearch(weights, imageLength: length, axis: axis)
        let best = search.best(length: part, startingIn: 0...(length - part))
        let naive = NaiveAttention(weights: weights, imageLength: length, axis: axis)
        let scores = (0...(length - part)).map { naive.score(start: $0, length: part) }
        let highest = scores.max() ?? 0
        #expect(abs(scores[best] - highest) < 1e-9)
        let score = search.score(start: best, length: part)
        #expect(abs(Double(score) / Double(search.totalWeight) - highest) < 1e-9)
    }

    @Test(arguments: [
        ("1:1", 0, PixelRect(x: 0, y: 0, width: 300, height: 300)),
        ("1:1", 9, PixelRect(x: 700, y: 0, width: 300, height: 300)),
    ])
    func `the crop moves to the highest weight`(aspect: String, column: Int, crop: PixelRect) throws {
        var columns = [Int](repeating: 0, count: 10)
        columns[column] = 100
        let frame = try attend(AttentionProfile(columns: columns, rows: [1, 1, 1]), aspect, width: 1000, height: 300)
        #expect(frame.crop == crop)
        #expect(frame.decision == .attention)
    }

    @Test(arguments: [
        (20, 0, "twice the detail in the middle is too little"),
        (22, 350, "the middle has more than twice the detail"),
    ])
    func `the centre wins if it has much more detail`(middle: Int, x: Int, why: Comment) throws {
        // For example, skin on the left, and a subject other than a person in the centre.
        let profile = AttentionProfile(
            columns: [100, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            rows: [1],
            detailColumns: [10, 0, 0, 0, middle / 2, middle / 2, 0, 0, 0, 0]
        )
        #expect(try attend(profile, "1:1", width: 1000, height: 300).crop.x == x, why)
    }

    /// Objects are placed 2 % of the height above the centre, because only a cut at the upper edge is penalised.
    @Test(arguments: [(ExpectedSubject.people, 0), (.things, 360)])
    func `an image without detail is cropped at the top for people and near the centre for objects`(
        expected: ExpectedSubject,
        y: Int
    ) throws {
        let tall = Scene(width: 60, height: 200).map(expecting: expected).profile
        #expect(
            try attend(tall, "5:4", width: 300, height: 1000).crop == PixelRect(x: 0, y: y, width: 300, height: 240)
        )
        let wide = Scene(width: 200, height: 60).map(expecting: expected).profile
        #expect(
            try attend(wide, "1:1", width: 1000, height: 300).crop == PixelRect(x: 350, y: 0, width: 300, height: 300)
        )
    }

    @Test func `the position nearest to the centre wins among equal positions`() throws {
        let wide = try attend(.uniform, "1:1", width: 1000, height: 300)
        #expect(wide.crop == PixelRect(x: 350, y: 0, width: 300, height: 300))
        let tall = try attend(.uniform, "1:1", width: 300, height: 1000)
        #expect(tall.crop == PixelRect(x: 0, y: 350, width: 300, height: 300))
    }

    @Test(arguments: ["10:11", "1:1", "1:2", "1:9"])
    func `a uniform image is cropped at the centre`(aspect: String) throws {
        let even = AttentionProfile(columns: [Int](repeating: 7, count: 50), rows: [Int](repeating: 7, count: 50))
        let crop = try attend(even, aspect, width: 1000, height: 1000).crop
        #expect(abs(2 * crop.x + crop.width - 1000) <= 1)
    }

    @Test func `a crop's edge goes through a gap instead of a person`() throws {
        // Two people with equal weight, too far apart for one crop. A centred crop would end exactly at one of them.
        var columns = [Int](repeating: 0, count: 20)
        (columns[4], columns[15]) = (50, 50)
        let crop = try attend(AttentionProfile(columns: columns, rows: [1]), "1:2", width: 1000, height: 1000).crop
        for edge in [crop.x, crop.maxX] {
            for someone in [200..<250, 750..<800] {
                #expect(edge <= someone.lowerBound - 20 || edge >= someone.upperBound + 20)
            }
        }
        #expect(crop.x <= 180 || crop.maxX >= 820)
    }

    @Test(arguments: [0.25, 0.5, 1])
    func `zoom removes at most a third of each side and stays inside the widest crop`(zoom: Double) throws {
        let profile = AttentionProfile(columns: [1, 1, 1, 1, 1, 1, 9, 1], rows: [1, 1, 8, 1, 1, 1])
        let widest = try attend(profile, "1:1", width: 900, height: 600).crop
        let crop = try attend(profile, "1:1", width: 900, height: 600, zoom: zoom).crop
        #expect(widest.contains(crop))
        #expect(crop.width == crop.height)
        #expect(crop.width < widest.width)
        #expect(crop.width >= 400)
        // The maximum weight is still inside.
        #expect(crop.contains(PixelRect(x: 675, y: 200, width: 112, height: 100)))
    }

    @Test func `faces have priority over attention, which is used only without faces`() throws {
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

    @Test func `the longest side and the highest weights do not overflow`() throws {
        let heavy = AttentionProfile(columns: [0, AttentionProfile.maxWeight], rows: [AttentionProfile.maxWeight])
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

/// The same rules, computed pixel by pixel.
private struct NaiveAttention {
    /// The part of the weight in each pixel.
    let pixels: [Double]
    let axis: AttentionSearch.Axis

    init(weights: [Int], imageLength: Int, axis: AttentionSearch.Axis) {
        let all = Double(weights.reduce(0, +))
        let (length, count) = (Double(imageLength), Double(weights.count))
        pixels = (0..<imageLength).map { pixel in
            let (from, to) = (Double(pixel) * count / length, Double(pixel + 1) * count / length)
            return weights.enumerated().reduce(0) { sum, section in
                let share = max(0, min(to, Double(section.offset + 1)) - max(from, Double(section.offset)))
                return sum + Double(section.element) * share / all
            }
        }
        self.axis = axis
    }

    func score(start: Int, length: Int) -> Double {
        let held = pixels[start..<(start + length)].reduce(0, +)
        return held - cut(start) - (axis == .across ? cut(start + length) : 0)
    }

    private func cut(_ edge: Int) -> Double {
        guard edge > 0, edge < pixels.count else { return 0 }
        let reach = max(1, Int((Double(pixels.count) * 0.02).rounded()))
        let part = pixels[max(0, edge - reach)..<min(pixels.count, edge + reach)]
        return part.reduce(0, +) - Double(part.count) / Double(pixels.count)
    }
}
