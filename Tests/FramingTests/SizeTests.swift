import Framing
import Geometry
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct SizeTests {
    @Test func `the widest crop is the nearest whole-pixel rectangle of its aspect ratio in the image`() throws {
        for text in ["16:9", "1:1", "9:16", "4:5", "3:1", "1.91:1"] {
            let ratio = try #require(shape(text))
            for width in 1...70 {
                for height in 1...70 {
                    let size = PixelSize(width: width, height: height)
                    let crop = ratio.widestCrop(in: size)
                    #expect(crop.width >= 1 && crop.height >= 1)
                    #expect(crop.width <= width && crop.height <= height)
                    #expect(crop.width == width || crop.height == height)
                    let byWidth = abs(Double(crop.width) / ratio.value - Double(crop.height))
                    let byHeight = abs(Double(crop.height) * ratio.value - Double(crop.width))
                    // One pixel is the minimum, so no crop of a 1×70 image is closer to 3:1.
                    #expect(min(byWidth, byHeight) <= 0.5 || crop.width == 1 || crop.height == 1)
                }
            }
        }
    }

    @Test func `an image is kept whole if the output has its aspect ratio except for rounding`() throws {
        for width in stride(from: 3, through: 1500, by: 97) {
            for height in stride(from: 2, through: 1100, by: 53) {
                let image = PixelSize(width: width, height: height)
                for side in [1, 16, 100, 256, 401] {
                    let scale = Double(side) / Double(image.longSide)
                    let result = PixelSize(
                        width: max(1, Int((Double(width) * scale).rounded())),
                        height: max(1, Int((Double(height) * scale).rounded()))
                    )
                    let minimum = Double(image.shortSide) * scale
                    guard minimum >= 0.5, let shape = AspectRatio(ofResult: result) else { continue }
                    #expect(shape.widestCrop(in: image) == image, "\(image) as \(result)")
                    var size = ResultSize()
                    (size.width, size.height, size.allowsEnlargement) = (result.width, result.height, true)
                    #expect(size.resolved(for: image, aspect: shape) == result)
                }
            }
        }
        // A difference of two pixels is more than rounding.
        let shape = try #require(AspectRatio(ofResult: PixelSize(width: 256, height: 169)))
        let crop = shape.widestCrop(in: PixelSize(width: 640, height: 427))
        #expect(crop == PixelSize(width: 640, height: 423))
        #expect(AspectRatio(256, 171)?.widestCrop(in: PixelSize(width: 640, height: 427)).width == 639)
    }

    struct Asked {
        var width: Int?
        var height: Int?
        var ratio = 1.0
        var enlarge = false
        var aspect: String?
        var crop: PixelSize
        var result: PixelSize
    }

    static let large = PixelSize(width: 1600, height: 900)
    static let results = [
        Asked(crop: large, result: large),
        Asked(width: 400, crop: large, result: PixelSize(width: 400, height: 225)),
        Asked(height: 90, crop: large, result: PixelSize(width: 160, height: 90)),
        Asked(width: 400, height: 225, crop: large, result: PixelSize(width: 400, height: 225)),
        Asked(width: 400, ratio: 2, crop: large, result: PixelSize(width: 800, height: 450)),
        Asked(width: 2000, crop: large, result: large),
        Asked(width: 400, ratio: 5, crop: large, result: large),
        Asked(width: 2000, enlarge: true, crop: large, result: PixelSize(width: 2000, height: 1125)),
        Asked(width: 1, crop: large, result: PixelSize(width: 1, height: 1)),
        // The requested aspect ratio determines the size; the crop's aspect ratio is rounded to whole pixels.
        Asked(
            width: 400,
            aspect: "16:9",
            crop: PixelSize(width: 1000, height: 563),
            result: PixelSize(width: 400, height: 225)
        ),
        // A whole image as fallback is scaled to fit and not distorted.
        Asked(
            width: 400,
            height: 400,
            crop: PixelSize(width: 500, height: 1000),
            result: PixelSize(width: 200, height: 400)
        ),
    ]

    @Test(arguments: results)
    func `the output size follows from the requested width and height`(asked: Asked) {
        var size = ResultSize()
        size.width = asked.width
        size.height = asked.height
        size.devicePixelRatio = asked.ratio
        size.allowsEnlargement = asked.enlarge
        #expect(size.resolved(for: asked.crop, aspect: asked.aspect.flatMap(shape)) == asked.result)
    }

    @Test func `a head is clipped to the image`() {
        let face = PixelRect(x: 0, y: 10, width: 100, height: 100)
        let head = HeadGrowth.ofTests.grown(face, in: PixelSize(width: 105, height: 200))
        #expect(head == PixelRect(x: 0, y: 0, width: 105, height: 110))
    }

    @Test func `fit=outside yields the minimum size that covers the box, for every aspect ratio`() {
        for (width, height) in [(160, 100), (100, 160), (640, 427), (50, 50), (900, 90)] {
            let image = PixelSize(width: width, height: height)
            for box in [(300, 300), (300, 50), (10, 200), (160, 100), (1, 1)] {
                var size = ResultSize()
                (size.width, size.height, size.allowsEnlargement) = (box.0, box.1, true)
                let covering = size.outside(for: image)
                #expect(covering.width >= box.0 && covering.height >= box.1, "\(image) \(box)")
                #expect(covering.width == box.0 || covering.height == box.1, "\(image) \(box)")
                size.allowsEnlargement = false
                let limited = size.outside(for: image)
                let isLarger = covering.width > width || covering.height > height
                #expect(limited == (isLarger ? image : covering), "\(image) \(box)")
            }
        }
    }

    @Test(arguments: [
        (PixelSize(width: 160, height: 100), 300, 50, 160, 50),
        (PixelSize(width: 160, height: 100), 1000, 1000, 160, 100),
        (PixelSize(width: 160, height: 100), 80, 60, 80, 60), (PixelSize(width: 100, height: 160), 300, 50, 100, 50),
    ])
    func `limited sides do not exceed the image's sides`(
        image: PixelSize,
        width: Int,
        height: Int,
        limitedWidth: Int,
        limitedHeight: Int
    ) {
        var size = ResultSize()
        (size.width, size.height) = (width, height)
        let settled = size.settled(in: image, limits: true)
        #expect(settled.width == limitedWidth && settled.height == limitedHeight)
        #expect(size.settled(in: image, limits: false) == size)
    }

    @Test func `boxOrientation=swap swaps the sides only if the image has a different orientation`() {
        for (image, box, turned) in [
            (PixelSize(width: 160, height: 100), (50, 80), (80, 50)),
            (PixelSize(width: 100, height: 160), (50, 80), (50, 80)),
            (PixelSize(width: 100, height: 160), (80, 50), (50, 80)),
            (PixelSize(width: 100, height: 100), (80, 50), (80, 50)),
            (PixelSize(width: 160, height: 100), (80, 80), (80, 80)),
        ] {
            var size = ResultSize()
            (size.width, size.height, size.turnsToImage) = (box.0, box.1, true)
            let settled = size.settled(in: image, limits: false)
            #expect(settled.width == turned.0 && settled.height == turned.1, "\(image) \(box)")
        }
    }

    private static let oneSide = [
        Asked(width: 210, crop: PixelSize(width: 350, height: 59), result: PixelSize(width: 210, height: 35)),
        Asked(height: 383, crop: PixelSize(width: 136, height: 323), result: PixelSize(width: 161, height: 383)),
        Asked(width: 188, crop: PixelSize(width: 197, height: 87), result: PixelSize(width: 188, height: 83)),
    ]

    @Test func `if one side of a whole image is requested, it is exact`() {
        for asked in Self.oneSide {
            var size = ResultSize()
            (size.width, size.height, size.allowsEnlargement) = (asked.width, asked.height, true)
            #expect(size.inside(for: asked.crop) == asked.result)
            #expect(size.outside(for: asked.crop) == asked.result)
        }
    }
}
