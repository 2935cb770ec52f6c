import Framing
import Geometry
import TestPacing
import Testing

/// Bars next to a crop: `fit=pad` and `fit=auto`.
@Suite(.limitedConcurrency) struct LetterboxTests {
    struct Asked: Sendable, CustomTestStringConvertible {
        var image: (Int, Int)
        var aspect: String?
        var width: Int?
        var height: Int?
        var ratio = 1.0
        var enlarge = false
        var gravity = Gravity.faces
        var result: (Int, Int)
        var contentRect: (Int, Int, Int, Int)

        var testDescription: String {
            "\(image) \(aspect ?? "") \(width ?? 0)x\(height ?? 0) \(gravity) is \(result) \(contentRect)"
        }
    }

    private static let asked = [
        Asked(image: (1600, 900), aspect: "1:1", result: (1600, 1600), contentRect: (0, 350, 1600, 900)),
        Asked(image: (900, 1600), aspect: "1:1", result: (1600, 1600), contentRect: (350, 0, 900, 1600)),
        Asked(image: (1600, 900), aspect: "1:1", width: 400, result: (400, 400), contentRect: (0, 86, 400, 226)),
        Asked(image: (1600, 900), aspect: "4:3", height: 300, result: (400, 300), contentRect: (0, 36, 400, 226)),
        Asked(
            image: (1600, 900),
            aspect: "1:1",
            width: 200,
            ratio: 2,
            result: (400, 400),
            contentRect: (0, 86, 400, 226)
        ),
        // Without a requested aspect ratio there are no bars.
        Asked(image: (1600, 900), result: (1600, 900), contentRect: (0, 0, 1600, 900)),
        Asked(image: (1600, 900), width: 400, result: (400, 225), contentRect: (0, 0, 400, 225)),
        // Very narrow bars are omitted, except in tiny images.
        Asked(image: (1, 1), aspect: "100:1", result: (100, 1), contentRect: (48, 0, 1, 1)),
        Asked(image: (2, 2), aspect: "100:1", result: (200, 2), contentRect: (98, 0, 2, 2)),
        Asked(image: (1, 1), aspect: "4:1", result: (4, 1), contentRect: (0, 0, 1, 1)),
        Asked(image: (10_000, 101), aspect: "100:1", result: (10_100, 101), contentRect: (50, 0, 10_000, 101)),
        Asked(image: (1600, 901), aspect: "16:9", result: (1600, 901), contentRect: (0, 0, 1600, 901)),
        Asked(image: (1600, 900), aspect: "16:9", width: 399, result: (399, 224), contentRect: (0, 0, 399, 224)),
        Asked(image: (570, 568), aspect: "1:1", width: 400, result: (400, 400), contentRect: (0, 0, 400, 400)),
        Asked(image: (570, 560), aspect: "1:1", width: 400, result: (400, 400), contentRect: (0, 4, 400, 392)),
        // The image is smaller than the requested size, so only the bars grow.
        Asked(image: (160, 90), aspect: "1:1", width: 400, result: (400, 400), contentRect: (120, 154, 160, 90)),
        Asked(
            image: (160, 90),
            aspect: "1:1",
            width: 400,
            enlarge: true,
            result: (400, 400),
            contentRect: (0, 86, 400, 226)
        ),
        // Alignment with an edge.
        Asked(image: (100, 50), aspect: "1:1", gravity: .top, result: (100, 100), contentRect: (0, 0, 100, 50)),
        Asked(image: (100, 50), aspect: "1:1", gravity: .bottom, result: (100, 100), contentRect: (0, 50, 100, 50)),
        Asked(image: (50, 100), aspect: "1:1", gravity: .left, result: (100, 100), contentRect: (0, 0, 50, 100)),
        Asked(image: (50, 100), aspect: "1:1", gravity: .right, result: (100, 100), contentRect: (50, 0, 50, 100)),
        Asked(image: (50, 100), aspect: "1:1", gravity: .top, result: (100, 100), contentRect: (24, 0, 50, 100)),
        // Extreme aspect ratios.
        Asked(image: (1, 700), aspect: "1:1", result: (700, 700), contentRect: (348, 0, 1, 700)),
        Asked(image: (700, 1), aspect: "100:1", result: (700, 7), contentRect: (0, 2, 700, 1)),
        Asked(image: (10, 10), aspect: "100:1", result: (1000, 10), contentRect: (494, 0, 10, 10)),
        Asked(image: (10, 10), aspect: "1:100", width: 1, result: (1, 100), contentRect: (0, 48, 1, 2)),
        Asked(image: (5000, 1), aspect: "1:1", width: 10, result: (10, 10), contentRect: (0, 4, 10, 1)),
        Asked(image: (1, 1), aspect: "1:1", width: 16_384, result: (16_384, 16_384), contentRect: (8190, 8190, 1, 1)),
    ]

    @Test(arguments: asked)
    func `the whole image is placed in an output of the requested size`(asked: Asked) throws {
        let size = PixelSize(width: asked.image.0, height: asked.image.1)
        let aspect = asked.aspect.flatMap(shape)
        var request = FramingRequest()
        request.fit = .pad
        request.gravity = asked.gravity
        var wanted = ResultSize()
        wanted.width = asked.width
        wanted.height = asked.height
        wanted.devicePixelRatio = asked.ratio
        wanted.allowsEnlargement = asked.enlarge
        let head = Subject(face: PixelRect(size), head: PixelRect(size))
        let frame = try Framer.frame([head], in: size, aspect: aspect, request: request)
        #expect(frame.crop == PixelRect(size))
        #expect(frame.decision == .pad)
        #expect(frame.kept == [true])
        let (result, contentRect) = wanted.resolved(for: frame, aspect: aspect)
        #expect(result == PixelSize(width: asked.result.0, height: asked.result.1))
        let (x, y, width, height) = asked.contentRect
        #expect(contentRect == PixelRect(x: x, y: y, width: width, height: height))
    }

    @Test func `the image is whole and undistorted between its bars in 20,000 cases`() throws {
        var random = SeededGenerator(seed: 7)
        var padding = FramingRequest()
        padding.fit = .pad
        padding.gravity = .center
        for _ in 0..<20_000 {
            let size = PixelSize(
                width: Int.random(in: 1...3000, using: &random),
                height: Int.random(in: 1...3000, using: &random)
            )
            let aspect = try #require(
                AspectRatio(
                    Double(Int.random(in: 1...60, using: &random)),
                    Double(Int.random(in: 1...60, using: &random))
                )
            )
            var wanted = ResultSize()
            if Bool.random(using: &random) { wanted.width = Int.random(in: 1...3000, using: &random) }
            if Bool.random(using: &random), wanted.width == nil {
                wanted.height = Int.random(in: 1...3000, using: &random)
            }
            wanted.allowsEnlargement = Bool.random(using: &random)
            let frame = try #require(Framer.whole([], in: size, aspect: aspect, request: padding))
            let (result, contentRect) = wanted.resolved(for: frame, aspect: aspect)
            try #require(
                PixelRect(result).contains(contentRect) && contentRect.area > 0,
                "\(size) \(aspect.text) \(wanted)"
            )
            if let width = wanted.width { try #require(result.width == width) }
            if let height = wanted.height { try #require(result.height == height) }
            if !wanted.allowsEnlargement {
                // Instead of adding very narrow bars, the crop is scaled. It may be one pixel larger, so that its side
                // is even.
                try #require(contentRect.width <= size.width + 3 && contentRect.height <= size.height + 3)
            }
            let isAsWide = abs(
                Double(contentRect.height) * Double(size.width) / Double(size.height) - Double(contentRect.width)
            )
            let isAsHigh = abs(
                Double(contentRect.width) * Double(size.height) / Double(size.width) - Double(contentRect.height)
            )
            try #require(min(isAsWide, isAsHigh) <= 4, "\(size) \(aspect.text) \(wanted) \(contentRect)")
            // The bars on both sides differ only by the adjustment to even pixels.
            try #require(abs(result.width - contentRect.width - 2 * contentRect.x) <= 3)
            try #require(abs(result.height - contentRect.height - 2 * contentRect.y) <= 3)
        }
    }

    @Test func `an image that needs no bars for its heads is cropped without bars`() throws {
        let size = PixelSize(width: 1000, height: 500)
        let people = [subject(100, 200, 80), subject(380, 200, 80)]
        var request = FramingRequest()
        for zoom in [0.0, 0.5, 1] {
            request.zoom = zoom
            request.fit = .cover
            let cover = try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request)
            request.fit = .auto
            let auto = try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request)
            #expect(auto == cover)
            #expect(auto.letterbox == nil)
        }
    }

    @Test func `heads too far apart for a crop are all kept, with the narrowest possible bars`() throws {
        let size = PixelSize(width: 1000, height: 500)
        let people = [subject(100, 200, 80), subject(800, 200, 100)]
        var request = FramingRequest()
        request.fit = .auto
        request.padding = .pixels(20)
        let frame = try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request)
        #expect(frame.kept == [true, true])
        #expect(frame.decision == .pad)
        #expect(frame.crop == PixelRect(x: 80, y: 0, width: 840, height: 500))
        #expect(frame.letterbox?.size == PixelSize(width: 840, height: 840))
        // A crop without bars can contain one of the faces.
        request.gravity = .largest
        let largest = try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request)
        #expect(largest.letterbox == nil)
        #expect(largest.decision == .largest)
        request.gravity = .center
        #expect(try Framer.frame(people, in: size, aspect: AspectRatio(1, 1), request: request).letterbox == nil)
    }

    @Test func `a head that no crop of the aspect ratio can contain is whole, with bars`() throws {
        let size = PixelSize(width: 400, height: 600)
        var request = FramingRequest()
        request.fit = .auto
        request.padding = .pixels(0)
        let head = subject(50, 100, 300)
        let frame = try Framer.frame([head], in: size, aspect: AspectRatio(4, 1), request: request)
        #expect(frame.kept == [true])
        #expect(frame.crop == PixelRect(x: 0, y: 100, width: 400, height: 300))
        #expect(frame.letterbox?.size == PixelSize(width: 1200, height: 300))
    }

    @Test func `fit=auto keeps every head, on random layouts`() async throws {
        for seed in RandomLayout.batches.prefix(4).joined() {
            if seed.isMultiple(of: 4) { await Task.yield() }
            let layout = RandomLayout(seed: seed)
            var request = FramingRequest()
            request.fit = .auto
            request.padding = .pixels(layout.padding)
            request.zoom = Double(seed % 3) / 2
            let frame = try Framer.frame(layout.subjects, in: layout.size, aspect: layout.aspect, request: request)
            try #require(PixelRect(layout.size).contains(frame.crop), "seed \(seed): \(layout)")
            try #require(frame.kept.allSatisfy { $0 }, "seed \(seed): \(layout) gave \(frame)")
            guard let letterbox = frame.letterbox else { continue }
            try #require(letterbox.size.width >= frame.crop.width && letterbox.size.height >= frame.crop.height)
            try #require(letterbox.size.width == frame.crop.width || letterbox.size.height == frame.crop.height)
            let widest = layout.aspect.widestCrop(in: layout.size)
            try #require(letterbox.size.width > widest.width || letterbox.size.height > widest.height)
            try #require(letterbox.size.area <= Letterbox(around: layout.size, aspect: layout.aspect).size.area)
        }
    }

    @Test func `faces are not detected if nothing is cut off`() {
        var request = FramingRequest()
        #expect(request.needsFaces && request.needsAttention(for: []))
        request.fit = .pad
        #expect(!request.needsFaces && !request.needsAttention(for: []))
        request.fit = .auto
        #expect(request.needsFaces && request.needsAttention(for: []))
    }

    private func subject(_ x: Int, _ y: Int, _ side: Int) -> Subject {
        let head = PixelRect(x: x, y: y, width: side, height: side)
        return Subject(face: head, head: head)
    }
}
