import Framing
import Geometry
import TestPacing
import Testing

/// The whole image without bars: `fit=inside` and `fit=fill`.
@Suite(.limitedConcurrency) struct WholeFitTests {
    struct Asked: Sendable, CustomTestStringConvertible {
        var fit: Fit
        var image: (Int, Int)
        var aspect: String?
        var width: Int?
        var height: Int?
        var ratio = 1.0
        var enlarge = false
        var result: (Int, Int)

        var testDescription: String { "\(fit) \(image) \(aspect ?? "") \(width ?? 0)x\(height ?? 0) is \(result)" }
    }

    private static let asked = [
        Asked(fit: .inside, image: (1600, 900), result: (1600, 900)),
        Asked(fit: .inside, image: (1600, 900), width: 400, height: 400, result: (400, 225)),
        Asked(fit: .inside, image: (900, 1600), width: 400, height: 400, result: (225, 400)),
        Asked(fit: .inside, image: (1600, 900), width: 400, result: (400, 225)),
        Asked(fit: .inside, image: (1600, 900), height: 90, result: (160, 90)),
        Asked(fit: .inside, image: (1600, 900), width: 200, height: 200, ratio: 2, result: (400, 225)),
        Asked(fit: .inside, image: (160, 100), width: 1000, height: 1000, result: (160, 100)),
        Asked(fit: .inside, image: (160, 100), width: 1000, height: 50, result: (80, 50)),
        Asked(fit: .inside, image: (160, 100), width: 1000, height: 1000, enlarge: true, result: (1000, 625)),
        Asked(fit: .inside, image: (160, 100), width: 320, enlarge: true, result: (320, 200)),
        // One side is exact.
        Asked(fit: .inside, image: (120, 40), width: 100, result: (100, 33)),
        Asked(fit: .outside, image: (120, 40), width: 100, result: (100, 33)),
        // A side has at least one pixel.
        Asked(fit: .inside, image: (5000, 1), width: 10, height: 10, result: (10, 1)),
        // A box with nearly the same aspect ratio does not stretch a small image.
        Asked(fit: .inside, image: (3, 2), width: 300, height: 240, enlarge: true, result: (300, 200)),
        Asked(fit: .fill, image: (1600, 900), result: (1600, 900)),
        Asked(fit: .fill, image: (1600, 900), width: 400, height: 400, result: (400, 400)),
        Asked(fit: .fill, image: (1600, 900), width: 10, height: 900, result: (10, 900)),
        Asked(fit: .fill, image: (1600, 900), width: 400, result: (400, 225)),
        Asked(fit: .fill, image: (1600, 900), aspect: "1:1", result: (900, 900)),
        Asked(fit: .fill, image: (1600, 900), aspect: "1:1", width: 300, result: (300, 300)),
        Asked(fit: .fill, image: (1600, 900), width: 200, height: 100, ratio: 2, result: (400, 200)),
        // The output is reduced at the requested aspect ratio until no side exceeds the corresponding side of the
        // image.
        Asked(fit: .fill, image: (160, 90), width: 400, height: 400, result: (90, 90)),
        Asked(fit: .fill, image: (160, 90), width: 400, height: 100, result: (160, 40)),
        Asked(fit: .fill, image: (160, 90), width: 400, height: 400, enlarge: true, result: (400, 400)),
        Asked(fit: .fill, image: (160, 90), aspect: "1:1", enlarge: true, result: (90, 90)),
    ]

    private func result(
        _ fit: Fit,
        _ size: PixelSize,
        _ aspect: AspectRatio?,
        _ wanted: ResultSize
    ) throws -> PixelSize {
        var request = FramingRequest()
        request.fit = fit
        let head = Subject(face: PixelRect(size), head: PixelRect(size))
        let frame = try Framer.frame([head], in: size, aspect: aspect, request: request)
        #expect(frame.crop == PixelRect(size))
        #expect(frame.letterbox == nil)
        #expect(frame.kept == [true])
        #expect(frame.decision == (fit == .inside ? .inside : fit == .outside ? .outside : .fill))
        let (result, image) = wanted.resolved(for: frame, aspect: aspect)
        #expect(image == PixelRect(result))
        return result
    }

    @Test(arguments: asked)
    func `the whole image has the requested size if fit allows it`(asked: Asked) throws {
        var wanted = ResultSize()
        wanted.width = asked.width
        wanted.height = asked.height
        wanted.devicePixelRatio = asked.ratio
        wanted.allowsEnlargement = asked.enlarge
        let aspect =
            if asked.fit == .fill, let width = asked.width, let height = asked.height {
                AspectRatio(PixelSize(width: width, height: height))
            } else {
                asked.aspect.flatMap(shape)
            }
        let size = PixelSize(width: asked.image.0, height: asked.image.1)
        let result = try result(asked.fit, size, aspect, wanted)
        #expect(result == PixelSize(width: asked.result.0, height: asked.result.1))
    }

    @Test func `fit=inside yields the maximum size in the box, compared with all widths in 3,000 cases`() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            func side() -> Int { Int.random(in: 1...120, using: &random) }
            let size = PixelSize(width: side(), height: side())
            var wanted = ResultSize()
            wanted.width = side()
            wanted.height = side()
            wanted.allowsEnlargement = Bool.random(using: &random)
            let result = try result(.inside, size, nil, wanted)
            let (maxWidth, maxHeight) = (wanted.width ?? 0, wanted.height ?? 0)
            try #require(result.width <= maxWidth && result.height <= maxHeight)
            let isOwn = result == size
            if !wanted.allowsEnlargement { try #require(result.width <= size.width && result.height <= size.height) }
            // One side equals the box's side, unless the image is smaller than the box.
            try #require(
                result.width == maxWidth || result.height == maxHeight || isOwn && !wanted.allowsEnlargement,
                "\(size) \(wanted) \(result)"
            )
            // The other side is the length closest to the aspect ratio.
            let exactHeight = Double(result.width) * Double(size.height) / Double(size.width)
            let exactWidth = Double(result.height) * Double(size.width) / Double(size.height)
            let error = min(abs(exactHeight - Double(result.height)), abs(exactWidth - Double(result.width)))
            try #require(error <= 0.5 + 1e-9 || result.width == 1 || result.height == 1, "\(size) \(wanted) \(result)")
        }
    }

    @Test(arguments: [Fit.inside, .fill, .pad])
    func `a whole image needs neither faces nor attention`(fit: Fit) {
        var request = FramingRequest()
        request.fit = fit
        #expect(fit.showsWhole && !request.needsFaces && !request.needsAttention(for: []))
    }
}
