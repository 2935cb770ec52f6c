import Framing
import Geometry
import TestPacing
import Testing

/// Crops around objects of the subject network.
@Suite(.limitedConcurrency) struct SubjectPlacementTests {
    private static let size = PixelSize(width: 1200, height: 400)

    /// The crop of a square in the wide image; attention would place it at `attention`.
    private func crop(
        _ objects: [DetectedSubject],
        attention: Int = 400,
        factors: [SubjectClass: Double]? = nil,
        faces: [Subject] = []
    ) -> PixelRect {
        SubjectPlacement(objects, in: Self.size, factors: factors, faces: faces)
            .crop(near: PixelRect(x: attention, y: 0, width: 400, height: 400), in: PixelRect(Self.size))
    }

    @Test(arguments: [SubjectClass.person, .dog, .car, .chair])
    func `a large certain object is in the centre of the crop`(kind: SubjectClass) {
        for x in stride(from: 0, through: 900, by: 100) {
            let found = crop([object(kind, Double(x), 50, 300, 340, 0.8)])
            #expect(abs(found.x + 200 - min(max(x + 150, 200), 1000)) <= 1, "\(x): \(found)")
            #expect(found.y == 0 && found.size == PixelSize(width: 400, height: 400))
        }
    }

    @Test func `attention selects the crop if there are no objects or only uncertain objects`() {
        #expect(SubjectPlacement([], in: Self.size).isEmpty)
        let doubtful = [object(.person, 0, 0, 300, 400, 0.29), object(.dog, 900, 0, 300, 400, 0.1)]
        #expect(SubjectPlacement(doubtful, in: Self.size).isEmpty)
        for attention in [0, 123, 800] { #expect(crop(doubtful, attention: attention).x == attention) }
    }

    @Test func `a small uncertain object does not outweigh attention`() {
        #expect(crop([object(.person, 1150, 300, 20, 40, 0.35)], attention: 0).x == 0)
        // A certain object of the same size or a larger size moves the crop.
        #expect(crop([object(.person, 1150, 300, 20, 40, 0.95)], attention: 0).x > 700)
        #expect(crop([object(.person, 1000, 100, 100, 250, 0.35)], attention: 0).x > 600)
    }

    @Test func `an object's weight grows with its score and its size`() {
        let left = object(.person, 50, 80, 120, 300, 0.6)
        for kind in [SubjectClass.person, .horse, .boat] {
            let wins = stride(from: 0.3, through: 1, by: 0.02).map { score in
                crop([left, object(kind, 1000, 80, 120, 300, score)]).x > 600
            }
            #expect(wins == wins.sorted { !$0 && $1 } && wins.last == true, "\(kind): \(wins)")
            let larger = stride(from: 0.2, through: 1, by: 0.05).map { scale in
                crop([left, object(kind, 900, 20, 280 * scale, 370 * scale, 0.6)]).x > 500
            }
            #expect(larger == larger.sorted { !$0 && $1 } && larger.last == true, "\(kind): \(larger)")
        }
    }

    @Test func `two certain objects win over one uncertain object of twice their size`() {
        let pair = [object(.dog, 0, 150, 130, 200, 0.8), object(.dog, 200, 150, 130, 200, 0.75)]
        for score in stride(from: 0.3, through: 0.5, by: 0.05) {
            let found = crop(pair + [object(.dog, 900, 0, 260, 400, score)])
            #expect(pair.allSatisfy { found.contains(pixels($0.box)) }, "\(score): \(found)")
        }
    }

    @Test func `heads of people and animals stay whole`() {
        // Attention would prefer the lower part of a tall image.
        let tall = PixelSize(width: 400, height: 1200)
        for (kind, head) in [(SubjectClass.person, 264), (.horse, 300)] {
            for attention in [0, 400, 800] {
                let placement = SubjectPlacement([object(kind, 60, 100, 280, 1000, 0.8)], in: tall)
                let found = placement.crop(
                    near: PixelRect(x: 0, y: attention, width: 400, height: 400),
                    in: PixelRect(tall)
                )
                #expect(found.y <= 110 && found.maxY > head, "\(kind), \(attention): \(found)")
            }
        }
    }

    @Test func `heads are estimated for standing people and for animals`() throws {
        func head(_ kind: SubjectClass, _ width: Double, _ height: Double) throws -> PixelRect? {
            let placement = SubjectPlacement([object(kind, 100, 100, width, height, 0.8)], in: Self.size)
            return try #require(placement.subjects.first).head
        }
        #expect(try head(.person, 100, 200) == PixelRect(x: 124, y: 94, width: 52, height: 50))
        #expect(try head(.dog, 100, 200) == PixelRect(x: 100, y: 100, width: 100, height: 50))
        #expect(try head(.person, 200, 100) == nil)
        #expect(try head(.car, 100, 200) == nil)
    }

    @Test func `only requested classes have weight, according to their factors`() {
        let all = [
            object(.person, 0, 100, 200, 300, 0.9), object(.dog, 500, 200, 150, 150, 0.5),
            object(.cat, 1000, 200, 150, 150, 0.5),
        ]
        #expect(crop(all).x < 300)
        #expect(abs(crop(all, factors: [.dog: 1]).x - 375) <= 1)
        #expect(crop(all, factors: [.dog: 1, .cat: 3]).x > 600)
        #expect(crop(all, factors: [.dog: 3, .cat: 1]).x < 600)
        for factors in [[:], [.car: 1], [.dog: 0], [.dog: -1], [.dog: .nan]] as [[SubjectClass: Double]] {
            #expect(crop(all, attention: 321, factors: factors).x == 321, "\(factors)")
        }
        #expect(crop(all, factors: [.cat: .infinity]).x > 600)
    }

    @Test func `next to faces, people without a face are bystanders, and other objects keep their weight`() {
        let people = [face(60, 100, 80, 90)]
        let bystanders = [object(.person, 700, 50, 200, 350, 0.9), object(.person, 950, 50, 200, 350, 0.9)]
        #expect(crop(bystanders, faces: people).x < 200)
        #expect(crop([object(.dog, 250, 150, 140, 200, 0.9)] + bystanders, faces: people).x < 200)
        #expect(crop([object(.horse, 600, 0, 400, 400, 0.95)] + bystanders, faces: [face(60, 100, 15, 16)]).x > 400)
    }

    /// Numbers that no network returns.
    static let hostile: [[Double]] = {
        let values: [Double] = [
            .nan, .signalingNaN, .infinity, -.infinity, -1, -1e300, 1e300, 0, .leastNonzeroMagnitude, 1e18, 0.2, 399.9,
        ]
        return values.flatMap { odd in
            (0..<5).map { index in
                var numbers = [10.0, 20, 100, 200, 0.8]
                numbers[index] = odd
                return numbers
            }
        }
    }()

    @Test(arguments: hostile)
    func `unusual numbers cause no crash`(numbers: [Double]) {
        for kind in [SubjectClass.person, .dog, .car] {
            let odd = object(kind, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
            for size in [Self.size, PixelSize(width: 1, height: 1), PixelSize(width: 1 << 24, height: 1 << 24)] {
                let placement = SubjectPlacement([odd, object(.cup, 5, 5, 40, 40, 0.9), odd], in: size, factors: nil)
                let side = min(size.width, size.height)
                let found = placement.crop(near: PixelRect(x: 0, y: 0, width: side, height: side), in: PixelRect(size))
                #expect(PixelRect(size).contains(found) && found.width == side, "\(found)")
                for subject in placement.subjects {
                    #expect(PixelRect(size).contains(subject.box) && subject.box.area > 0)
                    #expect(subject.head.map { PixelRect(size).contains($0) && $0.area > 0 } ?? true)
                }
            }
        }
    }

    @Test func `the number of boxes is limited`() {
        var random = SeededGenerator(seed: 7)
        let objects = (0..<20_000).map { _ in
            object(
                SubjectClass.allCases.randomElement(using: &random) ?? .person,
                .random(in: -100...1200, using: &random),
                .random(in: -100...400, using: &random),
                .random(in: 0...400, using: &random),
                .random(in: 0...400, using: &random),
                .random(in: 0...1, using: &random)
            )
        }
        let placement = SubjectPlacement(objects, in: Self.size)
        #expect(!placement.isEmpty && placement.subjects.count <= SubjectPlacement.maxCount)
        #expect(PixelRect(Self.size).contains(crop(objects)))
    }

    @Test func `no position has a much higher score than the chosen position, on random layouts`() async throws {
        for seed in UInt64(0)..<2000 {
            if seed.isMultiple(of: 64) { await Task.yield() }
            let layout = ObjectLayout(seed: seed)
            let near = layout.attention
            let placement = SubjectPlacement(layout.objects, in: layout.size)
            let found = placement.crop(near: near, in: PixelRect(layout.size))
            try #require(PixelRect(layout.size).contains(found) && found.size == near.size, "seed \(seed)")
            if placement.isEmpty {
                try #require(found == near)
                continue
            }
            let reference = ObjectReference(layout)
            let maximum = reference.positions.map(reference.value).max() ?? 0
            let value = reference.value(found)
            // The tolerance for the centre of the objects, and for rounding.
            try #require(
                value >= maximum - 0.016 * reference.weight - 1e-4,
                "seed \(seed): \(layout), \(found): \(value) of \(maximum)"
            )
            var shuffled = layout.objects
            shuffled.reverse()
            let again = SubjectPlacement(shuffled, in: layout.size).crop(near: near, in: PixelRect(layout.size))
            try #require(abs(reference.value(again) - value) <= 0.016 * reference.weight + 1e-4, "seed \(seed)")
        }
    }

    @Test func `zoom removes parts of the crop, but not of the objects`() throws {
        let objects = [object(.dog, 500, 120, 120, 150, 0.8)]
        let placement = SubjectPlacement(objects, in: Self.size)
        var last = PixelRect(Self.size)
        for zoom in [0, 0.3, 0.6, 1] {
            var request = FramingRequest()
            request.zoom = zoom
            let found = try #require(
                Framer.subjectCrop(
                    placement,
                    in: Self.size,
                    aspect: AspectRatio(1, 1),
                    request: request,
                    attention: .uniform
                )
            )
            #expect(last.contains(found) && found.contains(pixels(objects[0].box)), "\(zoom): \(found)")
            #expect(abs(found.width - found.height) <= 1 && found.width >= 266)
            last = found
        }
        #expect(last.width < 300)
    }

    @Test func `a crop of the whole image ignores objects`() throws {
        let placement = SubjectPlacement([object(.dog, 500, 120, 120, 150, 0.8)], in: Self.size)
        let crop = Framer.subjectCrop(
            placement,
            in: Self.size,
            aspect: nil,
            request: FramingRequest(),
            attention: .uniform
        )
        #expect(crop == PixelRect(Self.size))
        let none = SubjectPlacement([], in: Self.size)
        #expect(
            Framer.subjectCrop(none, in: Self.size, aspect: nil, request: FramingRequest(), attention: .uniform) == nil
        )
    }
}

func object(
    _ kind: SubjectClass,
    _ x: Double,
    _ y: Double,
    _ width: Double,
    _ height: Double,
    _ score: Double
) -> DetectedSubject {
    DetectedSubject(kind, box: FractionalRect(x: x, y: y, width: width, height: height), score: score)
}

private func pixels(_ box: FractionalRect) -> PixelRect {
    PixelRect(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
}

/// A random image with random objects, and its attention crop.
struct ObjectLayout: CustomStringConvertible {
    let size: PixelSize
    let objects: [DetectedSubject]
    let attention: PixelRect

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = PixelSize(
            width: .random(in: 1...120, using: &random),
            height: .random(in: 1...120, using: &random)
        )
        let isWide = Bool.random(using: &random)
        let crop = PixelSize(
            width: isWide ? .random(in: 1...size.width, using: &random) : size.width,
            height: isWide ? size.height : .random(in: 1...size.height, using: &random)
        )
        attention = PixelRect(
            x: .random(in: 0...(size.width - crop.width), using: &random),
            y: .random(in: 0...(size.height - crop.height), using: &random),
            width: crop.width,
            height: crop.height
        )
        objects = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            object(
                SubjectClass.allCases.randomElement(using: &random) ?? .person,
                Double(Int.random(in: 0..<size.width, using: &random)),
                Double(Int.random(in: 0..<size.height, using: &random)),
                Double(Int.random(in: 1...60, using: &random)),
                Double(Int.random(in: 1...60, using: &random)),
                .random(in: 0.2...1, using: &random)
            )
        }
        self.size = size
    }

    var description: String { "\(size) \(attention) \(objects)" }
}

/// A plain reference implementation of the rule, in floating point: slow, but obviously correct.
private struct ObjectReference {
    let layout: ObjectLayout
    let subjects: [WeighedSubject]

    init(_ layout: ObjectLayout) {
        self.layout = layout
        subjects = SubjectPlacement(layout.objects, in: layout.size).subjects
    }

    /// The weight of all objects.
    var weight: Double { subjects.map(weight).reduce(0, +) }

    private func weight(_ subject: WeighedSubject) -> Double { Double(subject.weight) / Double(WeighedSubject.unit) }

    var positions: [PixelRect] { BruteForce.positions(of: layout.attention.size, in: layout.size) }

    func value(_ crop: PixelRect) -> Double {
        let slidesDown = crop.height < layout.size.height
        let axis: (PixelRect) -> Range<Int> = slidesDown ? { $0.rows } : { $0.columns }
        let (visible, wanted) = (axis(crop), axis(layout.attention))
        var value = 0.0
        for subject in subjects {
            let span = axis(subject.box)
            let shown = Double(span.count(where: visible.contains)) / Double(min(span.count, visible.count))
            var part = 0.0
            if let head = subject.head.map(axis), head.count <= visible.count {
                part = subject.kind == .person ? 0.5 : slidesDown ? 0.2 : 0
                let isWhole = 100 * head.count(where: visible.contains) >= 97 * head.count
                value += isWhole ? part * weight(subject) : 0
            }
            value += (1 - part) * weight(subject) * shown
        }
        let away = min(1, Double(abs(visible.lowerBound - wanted.lowerBound)) / Double(visible.count))
        return value + max(0.1 * weight, 0.005) * (1 - away)
    }
}
