import Framing
import Geometry
import TestPacing
import Testing

// The tests are serialized and yield, so that server tests are not delayed.
@Suite(.limitedConcurrency, .serialized) struct FramerTests {
    @Test(arguments: RandomLayout.batches)
    func `the widest crop keeps as much as brute force can, on random layouts`(
        seeds: Range<UInt64>
    ) async throws {
        for seed in seeds {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed, isScored: seed.isMultiple(of: 2))
            let frame = try layout.frame()
            let rivals = BruteForce.positions(of: frame.crop.size, in: layout.size)
            func score(_ crop: PixelRect) -> BruteForce.Score {
                BruteForce.score(crop, layout.subjects, padding: layout.padding, in: layout.size)
            }
            let scores = rivals.map(score)
            let best = try #require(scores.max())
            let got = score(frame.crop)
            try #require(PixelRect(layout.size).contains(frame.crop))
            try #require(frame.kept == layout.subjects.map { frame.crop.contains($0.head) })
            // If no position keeps a whole head, other rules determine the crop.
            guard best.area > 0 || layout.isExact else { continue }
            try #require(got == best, "seed \(seed): \(layout) gave \(frame.crop)")
            guard frame.kept.contains(true) else { continue }
            // Among the positions that keep the same people, none is better centred.
            func kept(_ crop: PixelRect) -> [[Bool]] {
                BruteForce.kept(by: crop, layout.subjects, padding: layout.padding, in: layout.size)
            }
            let keptByFrame = kept(frame.crop)
            let equals = zip(rivals, scores).filter { $0.1 == best && kept($0.0) == keptByFrame }.map(\.0)
            let minimum = equals.map { BruteForce.offCentre($0, layout.subjects) }.min() ?? 0
            let offCentre = BruteForce.offCentre(frame.crop, layout.subjects)
            // If the crop cuts two tolerances by the same amount, adjacent positions have equal scores.
            try #require(offCentre <= minimum + (layout.isExact ? 1 : 2), "seed \(seed): \(layout) gave \(frame.crop)")
        }
    }

    @Test func `a single person in the centre is in the centre of the crop`() throws {
        let frame = try frame([face(450, 300, 100, 100)], "1:1", in: PixelSize(width: 1000, height: 600))
        #expect(frame.crop == PixelRect(x: 200, y: 0, width: 600, height: 600))
        #expect(frame.decision == .faces)
        #expect(frame.kept == [true])
    }

    @Test func `if two people are too far apart, the larger one is kept whole`() throws {
        let people = [face(20, 200, 120, 120), face(860, 200, 110, 110)]
        let frame = try frame(people, "1:1", in: PixelSize(width: 1000, height: 500))
        #expect(frame.kept == [true, false])
    }

    @Test func `with equal numbers of people on both sides, the larger people are kept, even if less certain`() throws {
        var people = [face(10, 100, 100, 100), face(700, 100, 70, 70)]
        people[0].reliability = 970
        let size = PixelSize(width: 1000, height: 400)
        #expect(try frame(people, "1:1", in: size).kept == [true, false])
        // An uncertain face has less weight, regardless of its size.
        people[0].reliability = 850
        #expect(try frame(people, "1:1", in: size).kept == [false, true])
    }

    @Test func `three people on the right win over a larger person on the left`() throws {
        let people = [face(10, 100, 200, 200), face(680, 100, 80, 80), face(785, 100, 80, 80), face(890, 100, 80, 80)]
        let frame = try frame(people, "1:1", in: PixelSize(width: 1000, height: 400))
        #expect(frame.kept == [false, true, true, true])
    }

    /// A face from 300 to 800 has its eyes at 490, its brows from 430 and its lower lip down to 700.
    @Test(
        arguments: [
            // The chin is kept except for 10 pixels, and the forehead is cut.
            ("7:4", nil, 390), ("7:3.8", nil, 410),
            // The crop starts at the brows and cuts chin and neck.
            ("7:3", nil, 430), ("7:2.7", nil, 430),
            // Brows and mouth do not fit together, and the crop is between them.
            ("7:2", nil, 465), ("7:1", nil, 515),
            // The eyes are higher than in most faces.
            ("7:3", 450, 390),
        ] as [(String, Double?, Int)]
    )
    func `if not even a face fits, eyes and mouth are kept`(aspect: String, eyes: Double?, top: Int) throws {
        var person = face(100, 300, 500, 500)
        person.eyes = eyes
        let frame = try frame([person], aspect, in: PixelSize(width: 700, height: 1000))
        #expect(frame.crop.y == top && frame.crop.width == 700)
        #expect(frame.kept == [false])
    }

    /// A face from 300 to 480 has its hair from 219 and needs space down to 509.
    @Test(arguments: [("7:2", 300), ("7:2.1", 299), ("7:2.3", 279), ("7:2.5", 241), ("7:2.6", 221), ("7:2.7", 219)])
    func `if the face fits but not the hair, the space below the chin is at most as large as the cut hair`(
        aspect: String,
        top: Int
    ) throws {
        let frame = try frame([face(100, 300, 180, 180)], aspect, in: PixelSize(width: 700, height: 1000))
        #expect(frame.crop.y == top)
    }

    static let placements: [(Gravity, Int, Int)] = [
        (.center, 300, 0), (.left, 0, 0), (.right, 600, 0), (.top, 300, 0), (.bottom, 300, 0),
        (.point(x: 0, y: 0), 0, 0), (.point(x: 1, y: 1), 600, 0), (.point(x: 0.4, y: 0.9), 200, 0),
    ]

    @Test(arguments: placements)
    func `a gravity without faces places the crop`(gravity: Gravity, x: Int, y: Int) throws {
        var request = FramingRequest()
        request.gravity = gravity
        let frame = try Framer.frame(
            [],
            in: PixelSize(width: 1000, height: 400),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.crop == PixelRect(x: x, y: y, width: 400, height: 400))
        #expect(frame.decision == Decision(gravity))
    }

    static let tall: [(Gravity, Int)] = [(.center, 300), (.top, 0), (.bottom, 600), (.left, 300), (.right, 300)]

    @Test(arguments: tall)
    func `an edge as gravity affects only the axis along which the crop can move`(gravity: Gravity, y: Int) throws {
        var request = FramingRequest()
        request.gravity = gravity
        let frame = try Framer.frame(
            [],
            in: PixelSize(width: 400, height: 1000),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.crop == PixelRect(x: 0, y: y, width: 400, height: 400))
    }

    static let choices: [(Gravity, Int)] = [
        (.largest, 0), (.smallest, 2), (.face(1), 0), (.face(2), 1), (.face(3), 2),
    ]

    @Test(arguments: choices)
    func `gravity selects one face`(gravity: Gravity, index: Int) throws {
        let people = [face(10, 100, 120, 120), face(450, 100, 90, 90), face(900, 100, 60, 60)]
        var request = FramingRequest()
        request.gravity = gravity
        let frame = try Framer.frame(
            people,
            in: PixelSize(width: 1000, height: 300),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.kept == (0..<3).map { $0 == index })
        #expect(frame.decision == Decision(gravity))
    }

    @Test func `the centermost face has the centre nearest to the image's centre, on random layouts`() throws {
        for seed in UInt64(0)..<2000 {
            let layout = RandomLayout(seed: seed)
            var request = layout.request()
            request.gravity = .centermost
            let frame = try Framer.frame(layout.subjects, in: layout.size, aspect: layout.aspect, request: request)
            let distances = layout.subjects.map { subject in
                let x = Double(subject.face.x) + Double(subject.face.width) / 2 - Double(layout.size.width) / 2
                let y = Double(subject.face.y) + Double(subject.face.height) / 2 - Double(layout.size.height) / 2
                return x * x + y * y
            }
            let nearest = distances.firstIndex(of: distances.min() ?? 0)
            let counting = frame.outcomes.indices.filter { frame.outcomes[$0] != .ignored }
            // A face at the same distance is treated like the chosen face.
            try #require(counting.contains { $0 == nearest }, "seed \(seed): \(layout)")
            try #require(counting.allSatisfy { layout.subjects[$0] == layout.subjects[nearest ?? 0] })
            #expect(frame.decision == .centermost)
        }
    }

    @Test(arguments: [
        (0.1, PixelRect(x: 0, y: 0, width: 200, height: 200)), (0.3, PixelRect(x: 50, y: 0, width: 200, height: 200)),
        (0.5, PixelRect(x: 150, y: 0, width: 200, height: 200)),
        (1.0, PixelRect(x: 300, y: 0, width: 200, height: 200)),
    ])
    func `a point can be a fallback`(x: Double, crop: PixelRect) throws {
        var request = FramingRequest()
        request.fallback = .point(x: x, y: 0.7)
        let size = PixelSize(width: 500, height: 200)
        let frame = try Framer.frame([], in: size, aspect: AspectRatio(1, 1), request: request)
        #expect(frame.crop == crop && frame.decision.description == "fallback:point")
        #expect(!request.needsAttention(for: []) && request.needsFaces)
    }

    static let fallbacks: [(Fallback, PixelRect)] = [
        // Without a profile the weight is the same everywhere.
        (.attention, PixelRect(x: 0, y: 300, width: 400, height: 400)),
        (.center, PixelRect(x: 0, y: 300, width: 400, height: 400)),
        (.top, PixelRect(x: 0, y: 0, width: 400, height: 400)),
        (.original, PixelRect(x: 0, y: 0, width: 400, height: 1000)),
    ]

    @Test(arguments: fallbacks, [Gravity.faces, .largest, .smallest, .centermost, .face(3)])
    func `missing faces lead to the fallback and not to an error`(
        fallback: (Fallback, PixelRect),
        gravity: Gravity
    ) throws {
        var request = FramingRequest()
        request.fallback = fallback.0
        request.gravity = gravity
        let frame = try Framer.frame(
            [],
            in: PixelSize(width: 400, height: 1000),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.crop == fallback.1)
        #expect(frame.decision == .fallback(fallback.0))
    }

    @Test func `missing faces are an error if the caller requests an error`() {
        var request = FramingRequest()
        request.fallback = .error
        #expect(throws: FramingError.noFace(.faces)) {
            try Framer.frame([], in: PixelSize(width: 10, height: 10), aspect: nil, request: request)
        }
    }

    @Test func `an image without pixels is an error`() {
        #expect(throws: FramingError.emptyImage) {
            try Framer.frame([], in: PixelSize(width: 0, height: 10), aspect: nil, request: FramingRequest())
        }
    }
}

/// A person whose head is the box of the face, enlarged by the default fractions.
func face(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Subject {
    let box = PixelRect(x: x, y: y, width: width, height: height)
    return Subject(
        face: box,
        head: HeadGrowth.ofTests.grown(box, in: PixelSize(width: 100_000, height: 100_000))
    )
}

func frame(_ subjects: [Subject], _ aspect: String, in size: PixelSize) throws -> Frame {
    let ratio = try #require(shape(aspect))
    return try Framer.frame(subjects, in: size, aspect: ratio, request: FramingRequest())
}
