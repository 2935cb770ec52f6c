import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct OrientationTests {
    /// The stored position of the upright pixel (x, y), according to Exif 2.32, 4.6.5.1.5.
    private static func stored(_ orientation: Orientation, _ x: Int, _ y: Int, in size: PixelSize) -> (x: Int, y: Int) {
        let (right, bottom) = (size.width - 1, size.height - 1)
        return switch orientation {
        case .up: (x, y)
        case .upMirrored: (right - x, y)
        case .down: (right - x, bottom - y)
        case .downMirrored: (x, bottom - y)
        case .leftMirrored: (y, x)
        case .right: (y, bottom - x)
        case .rightMirrored: (right - y, bottom - x)
        case .left: (right - y, x)
        }
    }

    @Test(arguments: Orientation.allCases, [(1, 1), (16, 16), (1, 40), (33, 1), (17, 31), (64, 48), (50, 67)])
    func `every pixel of a rotated PNG is at its expected position`(orientation: Orientation, sides: (Int, Int)) throws
    {
        let size = PixelSize(width: sides.0, height: sides.1)
        let tag = ExifBlock.tiff(orientation: orientation.rawValue)
        let kind = OddPNG(.gray, chunks: [("eXIf", tag)])
        let bytes = kind.encode(size) { x, y, _ in (x * 7 + y * 31) & 0xFF }
        let header = try ImageHeader.read(bytes)
        #expect(header.orientation == orientation)
        #expect(header.storedSize == size && header.size == orientation.upright(size))
        let expected = try Plane(header.size) { x, y in
            let from = Self.stored(orientation, x, y, in: size)
            return UInt8((from.x * 7 + from.y * 31) & 0xFF)
        }
        #expect(ImageDifference(try ImageDecoder.decode(bytes, header: header).planes[0], expected).maximum == 0)
        #expect(ImageDifference(try ImageDecoder.decodeLuma(bytes, header: header), expected).maximum == 0)
    }

    @Test(arguments: Orientation.allCases, [(1, 1), (2, 1), (1, 2), (2, 2), (4, 1)])
    func `the colours of a rotated JPEG stay aligned with their pixels`(
        orientation: Orientation,
        chroma: (Int, Int)
    ) throws {
        // Odd sides, so that the last chroma samples extend beyond the edge.
        let size = PixelSize(width: 61, height: 45)
        let jpeg = try OddJPEG(.ycbcr, sampling: [chroma, (1, 1), (1, 1)], quality: 100).encode(size) { part, x, y in
            part == 1 ? 40 + x * 3 : 200 - y * 3
        }
        let upright = try ImageDecoder.decode(jpeg, header: try ImageHeader.read(jpeg))
        let whole = FractionalRect(PixelRect(size))
        let full = try Resampler.resample(upright, region: whole, to: size, model: .ycbcr(.none))

        let tagged = JPEGSegments.tagged(orientation.rawValue, jpeg)
        let header = try ImageHeader.read(tagged)
        let turned = try ImageDecoder.decode(tagged, header: header)
        #expect(turned.size == header.size && turned.colorModel == header.colorModel)
        let turnedWhole = FractionalRect(PixelRect(turned.size))
        let turnedFull = try Resampler.resample(turned, region: turnedWhole, to: turned.size, model: .ycbcr(.none))
        for (plane, original) in zip(turnedFull.planes, full.planes) {
            let expected = try Plane(header.size) { x, y in
                let from = Self.stored(orientation, x, y, in: size)
                return original[x: from.x, y: from.y]
            }
            // A shift by one pixel would cause a difference of 3 everywhere. Samples at the edge are extrapolated.
            let difference = ImageDifference(plane, expected)
            #expect(difference.mean < 0.7 && difference.maximum <= 5)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func `both byte orders are supported in JPEG and PNG`(isBigEndian: Bool, isJPEG: Bool) throws {
        let tag = ExifBlock.tiff(orientation: 6, isBigEndian: isBigEndian)
        let size = PixelSize(width: 8, height: 4)
        let bytes =
            isJPEG
            ? JPEGSegments.inserting(
                0xE1,
                Array("Exif\0\0".utf8) + tag,
                into: try OddJPEG(.gray).encode(size) { _, _, _ in 9 }
            )
            : OddPNG(.gray, chunks: [("eXIf", tag)]).encode(size) { _, _, _ in 9 }
        #expect(try ImageHeader.read(bytes).orientation == .right)
    }

    @Test func `an eXIf chunk after the image data is used`() throws {
        let png = OddPNG(.gray).encode(PixelSize(width: 2, height: 3)) { _, _, _ in 0 }
        let late = png.dropLast(12) + OddPNG.chunk("eXIf", ExifBlock.tiff(orientation: 8)) + png.suffix(12)
        #expect(try ImageHeader.read(Array(late)).orientation == .left)
    }

    @Test(arguments: [0, 9, 255, 0x0600, 65535])
    func `an orientation out of range counts as upright`(value: Int) throws {
        #expect(try orientation(ExifBlock.tiff(orientation: value)) == .up)
    }

    @Test func `a 32-bit orientation is accepted, and a text is not`() throws {
        var tiff = ExifBlock.tiff(orientation: 0)
        tiff.replaceSubrange(24..<34, with: [0, 4, 0, 0, 0, 1, 0, 0, 0, 3])
        #expect(try orientation(tiff) == .down)
        tiff[25] = 2
        #expect(try orientation(tiff) == .up)
    }

    @Test func `an image with broken EXIF counts as upright, wherever EXIF is broken`() throws {
        let tiff = ExifBlock.tiff(orientation: 6)
        for length in 0..<tiff.count {
            let parsed = try orientation(Array(tiff.prefix(length)))
            // The value ends at byte 32; later bytes are not required.
            #expect(parsed == (length < 32 ? .up : .right))
        }
        for hostile in [
            Array("MM\0*".utf8) + [0xFF, 0xFF, 0xFF, 0xFF],
            Array("MM\0*".utf8) + [0x7F, 0xFF, 0xFF, 0xFE, 0, 0],
            Array("MM\0*".utf8) + [0, 0, 0, 4, 0, 0],
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0xFF, 0xFF, 1, 0x10, 0, 2, 0, 0, 0, 0],
            Array("MI\0*".utf8) + [0, 0, 0, 8, 0, 0],
            Array("XX\0*".utf8) + [0, 0, 0, 8, 0, 0],
        ] {
            #expect(try orientation(hostile) == .up)
        }
    }

    @Test func `random EXIF data yield a valid orientation`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var tiff = ExifBlock.tiff(orientation: 6, isBigEndian: Bool.random(using: &generator))
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                tiff[Int.random(in: 0..<tiff.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try orientation(tiff)
        }
    }

    /// The orientation of a PNG with these metadata.
    private func orientation(_ tiff: [UInt8]) throws -> Orientation {
        let bytes = OddPNG(.gray, chunks: [("eXIf", tiff)]).encode(PixelSize(width: 1, height: 1)) { _, _, _ in 0 }
        return try ImageHeader.read(bytes).orientation
    }

    /// A rotation and mirrors, applied one after another, pixel by pixel.
    @Test(arguments: [0, 1, 2, 3, 4, -1], [(false, false), (true, false), (false, true), (true, true)])
    func `a rotation and mirrors combine to one orientation`(quarters: Int, mirrors: (columns: Bool, rows: Bool)) throws
    {
        var pixels = [[1, 2, 3], [4, 5, 6]]
        let size = PixelSize(width: 3, height: 2)
        let plane = try Plane(size) { x, y in UInt8(pixels[y][x]) }
        for _ in 0..<(quarters + 4) % 4 {
            pixels = (0..<pixels[0].count).map { x in pixels.reversed().map { $0[x] } }
        }
        if mirrors.columns { pixels = pixels.map { $0.reversed() } }
        if mirrors.rows { pixels.reverse() }
        let orientation = Orientation(quarters: quarters, mirrorsColumns: mirrors.columns, mirrorsRows: mirrors.rows)
        let turned = try plane.oriented(orientation)
        #expect(turned.size == PixelSize(width: pixels[0].count, height: pixels.count))
        for (y, row) in pixels.enumerated() {
            for (x, pixel) in row.enumerated() { #expect(turned[x: x, y: y] == UInt8(pixel)) }
        }
    }

    @Test(arguments: Orientation.allCases)
    func `a rectangle is rotated with its pixels`(orientation: Orientation) throws {
        let size = PixelSize(width: 9, height: 7)
        let rect = PixelRect(x: 2, y: 1, width: 4, height: 3)
        let plane = try Plane(size) { x, y in rect.contains(PixelRect(x: x, y: y, width: 1, height: 1)) ? 1 : 0 }
        let turned = try plane.oriented(orientation)
        let expected = orientation.upright(rect, in: size)
        for y in 0..<turned.size.height {
            for x in 0..<turned.size.width {
                let isInside = expected.contains(PixelRect(x: x, y: y, width: 1, height: 1))
                #expect(turned[x: x, y: y] == (isInside ? 1 : 0), "\(x) \(y)")
            }
        }
    }
}
