import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct WebPDecoderTests {
    private func decoded(_ bytes: [UInt8]) throws -> PlanarImage {
        try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
    }

    private func rgb(_ image: PlanarImage) throws -> PlanarImage {
        try Resampler.resample(image, region: FractionalRect(PixelRect(image.size)), to: image.size, model: .rgb)
    }

    @Test(arguments: [(1, 1), (2, 3), (17, 9), (64, 33)], [false, true])
    func `lossless images are exact`(sides: (Int, Int), hasAlpha: Bool) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        let bytes = try WebPFile.lossless(size) { x, y in
            (UInt8(x * 3), UInt8(y * 5), UInt8(x ^ y), hasAlpha ? UInt8(1 + (x + y) % 250) : 255)
        }
        let header = try ImageHeader.read(bytes)
        #expect(header.format == .webp && header.size == size)
        #expect(header.colorModel == .rgb && header.hasAlpha == hasAlpha)
        let image = try ImageDecoder.decode(bytes, header: header)
        let expected = try TestImage.rgb(size) { x, y in (UInt8(x * 3), UInt8(y * 5), UInt8(x ^ y)) }
        #expect(ImageDifference(image, expected).maximum == 0)
        #expect((image.alpha != nil) == hasAlpha)
        if let alpha = image.alpha {
            let opacity = try Plane(size) { x, y in UInt8(1 + (x + y) % 250) }
            #expect(ImageDifference(alpha, opacity).maximum == 0)
        }
    }

    @Test(arguments: [(1, 1), (16, 16), (61, 45), (150, 99)])
    func `lossy images have the same colours as libwebp's output`(sides: (Int, Int)) throws {
        let size = PixelSize(width: sides.0, height: sides.1)
        for source in [try TestImage.gradient(size), try TestImage.quadrants(size), try TestImage.noise(size, seed: 9)]
        {
            let bytes = try ImageEncoder.encode(source, as: .webp, quality: 90)
            let header = try ImageHeader.read(bytes)
            #expect(header.size == size && header.colorModel == .ycbcr(.halved) && !header.hasAlpha)
            let image = try ImageDecoder.decode(bytes, header: header)
            #expect(image.colorModel == header.colorModel)
            let difference = ImageDifference(try rgb(image), try WebPFile.reference(bytes))
            #expect(difference.mean < 1 && difference.maximum <= 6)
            let luma = try ImageDecoder.decodeLuma(bytes, header: header)
            #expect(ImageDifference(luma, image.planes[0]).maximum == 0)
        }
    }

    @Test func `black and white use the full range`() throws {
        let source = try TestImage.gray(PixelSize(width: 64, height: 16)) { x, _ in x < 32 ? 0 : 255 }
        let luma = try decoded(try ImageEncoder.encode(source, as: .webp, quality: 100)).planes[0]
        #expect(luma[x: 8, y: 8] <= 1 && luma[x: 56, y: 8] >= 254)
    }

    @Test(arguments: Orientation.allCases, [false, true])
    func `images are rotated upright`(orientation: Orientation, isPrefixed: Bool) throws {
        let size = PixelSize(width: 40, height: 24)
        let still = try WebPFile.lossless(size) { x, y in
            let color = TestImage.quadrantColors[(y * 2 / size.height) * 2 + x * 2 / size.width]
            return (color.red, color.green, color.blue, 255)
        }
        let exif = Array((isPrefixed ? "Exif\0\0" : "").utf8) + ExifBlock.tiff(orientation: orientation.rawValue)
        let chunks = WebPFile.image(of: still) + WebPFile.chunk("XMP ", [1]) + WebPFile.chunk("EXIF", exif)
        let bytes = WebPFile.extended(size, .exif, chunks)
        let header = try ImageHeader.read(bytes)
        #expect(header.orientation == orientation && header.size == orientation.upright(size))
        let png = OddPNG(.rgb, chunks: [("eXIf", ExifBlock.tiff(orientation: orientation.rawValue))]).encode(size) {
            let color = TestImage.quadrantColors[($1 * 2 / size.height) * 2 + $0 * 2 / size.width]
            return Int([color.red, color.green, color.blue][$2])
        }
        #expect(ImageDifference(try decoded(bytes), try decoded(png)).maximum == 0)
        #expect(try ImageHeader.read(WebPFile.extended(size, [], chunks)).orientation == .up)
    }

    @Test func `the colours of a rotated lossy image stay aligned with their pixels`() throws {
        let size = PixelSize(width: 45, height: 31)
        let still = try ImageEncoder.encode(try TestImage.gradient(size), as: .webp, quality: 95)
        let exif = WebPFile.chunk("EXIF", ExifBlock.tiff(orientation: 3))
        let turned = try rgb(try decoded(WebPFile.extended(size, .exif, WebPFile.image(of: still) + exif)))
        let upright = try rgb(try decoded(still))
        for (plane, original) in zip(turned.planes, upright.planes) {
            let expected = try Plane(size) { x, y in original[x: 44 - x, y: 30 - y] }
            #expect(ImageDifference(plane, expected).mean < 1.5)
        }
    }

    @Test func `an animation yields its first frame at its position on a transparent canvas`() throws {
        let canvas = PixelSize(width: 20, height: 12)
        let place = PixelRect(x: 4, y: 6, width: 7, height: 5)
        let opaque = try WebPFile.lossless(place.size) { x, y in (UInt8(x * 20), UInt8(y * 30), 77, 255) }
        let seeThrough = try WebPFile.lossless(place.size) { x, y in (UInt8(x * 20), UInt8(y * 30), 77, UInt8(100 + x))
        }
        let lossy = try ImageEncoder.encode(try TestImage.gradient(place.size), as: .webp)
        let second = try WebPFile.lossless(canvas) { _, _ in (255, 255, 255, 255) }
        for first in [opaque, seeThrough, lossy] {
            let frames =
                WebPFile.frame(place, WebPFile.image(of: first))
                + WebPFile.frame(PixelRect(canvas), WebPFile.image(of: second))
            let bytes = WebPFile.animation(canvas, frames)
            let header = try ImageHeader.read(bytes)
            #expect(header.size == canvas && header.hasAlpha && header.colorModel == .rgb)
            let image = try ImageDecoder.decode(bytes, header: header)
            let frame = try WebPFile.reference(first)
            let alpha = try #require(image.alpha)
            for y in 0..<canvas.height {
                for x in 0..<canvas.width {
                    let (inX, inY) = (x - place.x, y - place.y)
                    let isInside = (0..<place.width).contains(inX) && (0..<place.height).contains(inY)
                    let opacity = first == seeThrough ? 100 + inX : 255
                    #expect(Int(alpha[x: x, y: y]) == (isInside ? opacity : 0))
                    for (plane, source) in zip(image.planes, frame.planes) {
                        #expect(plane[x: x, y: y] == (isInside ? source[x: inX, y: inY] : 0))
                    }
                }
            }
        }
    }

    @Test func `an opaque frame that covers the canvas has no alpha`() throws {
        let size = PixelSize(width: 30, height: 20)
        let still = try ImageEncoder.encode(try TestImage.gradient(size), as: .webp)
        let bytes = WebPFile.animation(size, WebPFile.frame(PixelRect(size), WebPFile.image(of: still)))
        let header = try ImageHeader.read(bytes)
        #expect(!header.hasAlpha && header.colorModel == .ycbcr(.halved))
        #expect(ImageDifference(try decoded(bytes), try decoded(still)).maximum == 0)
    }

    @Test func `a scale requested for a WebP has no effect`() throws {
        let bytes = try ImageEncoder.encode(try TestImage.waves(PixelSize(width: 31, height: 17)), as: .webp)
        let header = try ImageHeader.read(bytes)
        let scale = DecodeScale(eighths: 2)
        #expect(try ImageDecoder.decode(bytes, header: header, scale: scale).size == header.size(atScale: scale))
        #expect(header.size(atScale: scale) == header.size)
    }

    @Test func `data after the image may be missing or invalid`() throws {
        let size = PixelSize(width: 9, height: 9)
        let still = try WebPFile.lossless(size) { x, _ in (UInt8(x), 0, 0, 255) }
        let exif = WebPFile.chunk("EXIF", ExifBlock.tiff(orientation: 6))
        let whole = WebPFile.extended(size, .exif, WebPFile.image(of: still) + exif)
        for bytes in [whole.dropLast(20), whole.dropLast(exif.count), whole[...] + [1, 2, 3]] {
            #expect(try decoded(Array(bytes)).size.area == 81)
        }
        #expect(try ImageHeader.read(whole + Array(repeating: 7, count: 99)).orientation == .right)
    }
}
