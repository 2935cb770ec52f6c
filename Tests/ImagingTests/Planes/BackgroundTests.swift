import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Backgrounds below an image and around it.
@Suite(.limitedConcurrency) struct BackgroundTests {
    private static let color = Background.color(red: 200, green: 30, blue: 90)

    private static let models: [ColorModel] = [
        .gray, .rgb, .ycbcr(.none), .ycbcr(.halvedAcross), .ycbcr(.halved), .ycbcr(.init(horizontal: 4, vertical: 1)),
        .ycbcr(.init(horizontal: 1, vertical: 2)),
    ]
    private static let places = [
        PixelRect(x: 0, y: 0, width: 9, height: 7), PixelRect(x: 2, y: 4, width: 9, height: 7),
        PixelRect(x: 3, y: 5, width: 9, height: 7), PixelRect(x: 14, y: 8, width: 9, height: 7),
        PixelRect(x: 4, y: 2, width: 1, height: 1), PixelRect(x: 5, y: 3, width: 1, height: 1),
        PixelRect(x: 0, y: 6, width: 23, height: 1), PixelRect(x: 0, y: 0, width: 23, height: 15),
    ]

    @Test(arguments: models, places)
    func `bars have one colour up to the edge, and the image is unchanged`(model: ColorModel, place: PixelRect) throws {
        let size = PixelSize(width: 23, height: 15)
        let source = try TestImage.gradient(place.size)
        let whole = FractionalRect(PixelRect(place.size))
        let image = try Resampler.resample(source, region: whole, to: place.size, model: model)
        let result = try image.laid(on: Self.color, of: size, at: place)
        #expect(result.size == size && result.colorModel == model && result.alpha == nil)
        for (index, plane) in result.planes.enumerated() {
            let across = (size.width + plane.size.width - 1) / plane.size.width
            let down = (size.height + plane.size.height - 1) / plane.size.height
            for y in 0..<plane.size.height {
                for x in 0..<plane.size.width {
                    let pixels = PixelRect(x: x * across, y: y * down, width: across, height: down)
                        .intersection(PixelRect(size))
                    let sample = plane[x: x, y: y]
                    if !place.contains(pixels) {
                        try #require(sample == Self.samples(model)[index], "\(index) at \(x),\(y)")
                    } else if place.x % across == 0, place.y % down == 0 {
                        let own = image.planes[index][x: x - place.x / across, y: y - place.y / down]
                        try #require(sample == own, "\(index) at \(x),\(y)")
                    }
                }
            }
        }
    }

    /// JFIF 1.02: Y = 0.299 R + 0.587 G + 0.114 B, Cb = 0.564 (B - Y) + 128, Cr = 0.713 (R - Y) + 128.
    private static func samples(_ model: ColorModel) -> [UInt8] {
        switch model {
        case .gray: [88]
        case .rgb: [200, 30, 90]
        case .ycbcr: [88, 129, 208]
        case .cmyk: [200, 30, 90, 255]
        }
    }

    @Test(arguments: [
        (Background.color(red: 0, green: 0, blue: 255), [29, 255, 107] as [UInt8]),
        (.color(red: 255, green: 0, blue: 0), [76, 85, 255]), (.color(red: 0, green: 255, blue: 0), [150, 44, 21]),
        (.white, [255, 128, 128]), (.color(red: 0, green: 0, blue: 0), [0, 128, 128]),
    ])
    func `a colour has the luma and chroma that JFIF defines`(background: Background, samples: [UInt8]) throws {
        let pixel = try TestImage.gray(PixelSize(width: 1, height: 1)) { _, _ in 0 }
        let whole = FractionalRect(PixelRect(pixel.size))
        let image = try Resampler.resample(pixel, region: whole, to: pixel.size, model: .ycbcr(.none))
        let result = try image.laid(
            on: background,
            of: PixelSize(width: 2, height: 1),
            at: PixelRect(x: 0, y: 0, width: 1, height: 1)
        )
        #expect(result.planes.map { $0[x: 1, y: 0] } == samples)
    }

    private func translucent(_ size: PixelSize, _ opacity: (Int, Int) -> UInt8) throws -> PlanarImage {
        let opaque = try TestImage.quadrants(size)
        return PlanarImage(size: size, colorModel: .rgb, planes: opaque.planes, alpha: try Plane(size, sample: opacity))
    }

    @Test func `a colour shows through transparent pixels`() throws {
        let size = PixelSize(width: 3, height: 1)
        let place = PixelRect(x: 1, y: 0, width: 3, height: 1)
        let image = try translucent(size) { x, _ in [0, 128, 255][x] }
        let result = try image.laid(on: Self.color, of: PixelSize(width: 5, height: 1), at: place)
        #expect(result.alpha == nil)
        let pixels = (0..<5).map { x in result.planes.map { $0[x: x, y: 0] } }
        let (below, own) = ([200, 30, 90] as [UInt8], image.planes.map { $0[x: 2, y: 0] })
        #expect(pixels[0] == below && pixels[1] == below && pixels[4] == below)
        #expect(pixels[3] == own)
        let half = image.planes.map { Int($0[x: 1, y: 0]) }
        for (index, sample) in pixels[2].enumerated() {
            let mixed = (half[index] * 128 + Int(below[index]) * 127) / 255
            #expect(abs(Int(sample) - mixed) <= 1)
        }
    }

    @Test func `transparent bars are transparent, and the image keeps its own alpha`() throws {
        let size = PixelSize(width: 2, height: 2)
        let place = PixelRect(x: 1, y: 1, width: 2, height: 2)
        let own = try translucent(size) { x, y in UInt8(10 + 100 * x + 50 * y) }
        for image in [own, try TestImage.quadrants(size)] {
            let result = try image.laid(on: .transparent, of: PixelSize(width: 4, height: 4), at: place)
            let alpha = try #require(result.alpha)
            for y in 0..<4 {
                for x in 0..<4 {
                    let isInside = (1...2).contains(x) && (1...2).contains(y)
                    let inside = image.alpha.map { $0[x: max(0, min(x - 1, 1)), y: max(0, min(y - 1, 1))] } ?? 255
                    #expect(alpha[x: x, y: y] == (isInside ? inside : 0))
                }
            }
            #expect(result.planes.map { $0[x: 1, y: 2] } == image.planes.map { $0[x: 0, y: 1] })
        }
    }

    @Test(arguments: models)
    func `a blur has the image's colours, is darker and has no edges`(model: ColorModel) throws {
        let size = PixelSize(width: 600, height: 300)
        let place = PixelRect(x: 150, y: 0, width: 300, height: 300)
        let source = try TestImage.quadrants(place.size)
        let whole = FractionalRect(PixelRect(place.size))
        let image = try Resampler.resample(source, region: whole, to: place.size, model: model)
        let result = try image.laid(on: .blur, of: size, at: place)
        let shown = try Resampler.resample(result, region: FractionalRect(PixelRect(size)), to: size, model: .rgb)
        let sharp = try Resampler.resample(image, region: whole, to: place.size, model: .rgb)
        // The corners show the corners of the image's central half, at three quarters of the brightness.
        for (x, y, own) in [(5, 5, (5, 100)), (594, 5, (294, 100)), (5, 294, (5, 200)), (594, 294, (294, 200))] {
            for (plane, original) in zip(shown.planes, sharp.planes) {
                let expected = Double(original[x: own.0, y: own.1]) * 0.75
                #expect(abs(Double(plane[x: x, y: y]) - expected) < 8, "\(x),\(y)")
            }
        }
        for plane in shown.planes {
            for y in 1..<size.height {
                let step = abs(Int(plane[x: 40, y: y]) - Int(plane[x: 40, y: y - 1]))
                try #require(step < 12, "at \(y)")
            }
        }
    }

    @Test(arguments: [(1, 1), (1, 500), (500, 1), (3, 2)], [(1, 1), (7, 700), (700, 7), (64, 64)])
    func `the smallest images can have a blurred background`(source: (Int, Int), target: (Int, Int)) throws {
        let original = PixelSize(width: source.0, height: source.1)
        let size = PixelSize(width: max(source.0, target.0), height: max(source.1, target.1))
        let flat = try TestImage.rgb(original) { _, _ in (100, 200, 60) }
        for model in Self.models {
            let whole = FractionalRect(PixelRect(original))
            let image = try Resampler.resample(flat, region: whole, to: original, model: model)
            let result = try image.laid(on: .blur, of: size, at: PixelRect(original))
            let corner = result.planes[0]
            #expect(corner.size == size)
        }
    }

    @Test func `the profile is kept`() throws {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(16..<20, with: "RGB ".utf8)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        let size = PixelSize(width: 2, height: 2)
        let planes = try TestImage.gradient(size).planes
        let image = PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: ICCProfile(bytes))
        for background in [Self.color, .transparent, .blur] {
            let result = try image.laid(on: background, of: PixelSize(width: 4, height: 2), at: PixelRect(size))
            #expect(result.iccProfile?.bytes == bytes)
        }
    }
}
