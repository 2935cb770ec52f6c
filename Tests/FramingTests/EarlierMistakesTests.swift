import Framing
import Geometry
import TestPacing
import Testing

/// Known errors of published face-cropping code, each as a test case.
@Suite(.limitedConcurrency) struct EarlierMistakesTests {
    @Test func `a face is centred by its centre, not by its left edge`() throws {
        let frame = try frame([face(400, 100, 200, 200)], "1:1", in: PixelSize(width: 1000, height: 400))
        #expect(frame.crop.x + frame.crop.width / 2 == 500)
    }

    @Test func `the horizontal offset does not affect the vertical axis`() throws {
        let wide = try frame([face(700, 100, 100, 100)], "1:1", in: PixelSize(width: 1000, height: 400))
        #expect(wide.crop.y == 0)
        #expect(wide.crop.x == 550)
        let tall = try frame([face(100, 700, 100, 100)], "1:1", in: PixelSize(width: 400, height: 1000))
        #expect(tall.crop.x == 0)
        #expect(tall.crop.y == 550)
    }

    static let corners = [
        face(0, 0, 100, 100), face(900, 0, 100, 100), face(0, 900, 100, 100), face(900, 900, 100, 100),
    ]

    @Test(arguments: corners, [Padding.fraction(10), .pixels(100_000), .pixels(0)])
    func `padding never extends beyond the image, and the aspect ratio is kept`(
        subject: Subject,
        padding: Padding
    ) throws {
        let size = PixelSize(width: 1000, height: 1000)
        for zoom in [0, 0.5, 1] {
            var request = FramingRequest()
            request.padding = padding
            request.zoom = zoom
            let clipped = Subject(face: subject.face, head: HeadGrowth.ofTests.grown(subject.face, in: size))
            let frame = try Framer.frame([clipped], in: size, aspect: AspectRatio(16, 9), request: request)
            #expect(PixelRect(size).contains(frame.crop))
            #expect(frame.kept == [true])
            #expect(abs(Double(frame.crop.width) * 9 / 16 - Double(frame.crop.height)) <= 1)
        }
    }

    @Test func `without faces there is a crop, not a division by zero`() throws {
        let frame = try frame([], "16:9", in: PixelSize(width: 1000, height: 1000))
        #expect(frame.crop.width == 1000)
        #expect(frame.crop.height == 563)
        #expect(frame.decision == .fallback(.attention))
    }

    @Test func `y points down, so a crop at the top keeps a face at the top`() throws {
        let top = try frame([face(100, 80, 100, 100)], "1:1", in: PixelSize(width: 300, height: 1000))
        #expect(top.crop.y == 0)
        let bottom = try frame([face(100, 880, 100, 100)], "1:1", in: PixelSize(width: 300, height: 1000))
        #expect(bottom.crop.y == 700)
    }

    /// The common error is to compare the requested aspect ratio with 1 instead of the image's aspect ratio.
    static let shapes: [(String, PixelSize, PixelSize)] = [
        ("16:9", PixelSize(width: 2000, height: 1000), PixelSize(width: 1778, height: 1000)),
        ("16:9", PixelSize(width: 1000, height: 1000), PixelSize(width: 1000, height: 563)),
        ("4:5", PixelSize(width: 500, height: 1000), PixelSize(width: 500, height: 625)),
        ("4:5", PixelSize(width: 1000, height: 1000), PixelSize(width: 800, height: 1000)),
        ("2:1", PixelSize(width: 3000, height: 1000), PixelSize(width: 2000, height: 1000)),
        ("1:2", PixelSize(width: 300, height: 1000), PixelSize(width: 300, height: 600)),
    ]

    @Test(arguments: shapes)
    func `the image's aspect ratio decides which side the crop spans`(
        aspect: String,
        image: PixelSize,
        crop: PixelSize
    ) throws {
        let ratio = try #require(shape(aspect))
        #expect(ratio.widestCrop(in: image) == crop)
    }

    @Test func `a different padding gives a different crop`() throws {
        let size = PixelSize(width: 1000, height: 1000)
        var crops: Set<PixelRect> = []
        for padding in [Padding.fraction(0), .fraction(0.5), .pixels(150)] {
            var request = FramingRequest()
            request.zoom = 1
            request.padding = padding
            crops.insert(
                try Framer.frame([face(400, 400, 200, 200)], in: size, aspect: AspectRatio(1, 1), request: request)
                    .crop
            )
        }
        #expect(crops.count == 3)
    }
}
