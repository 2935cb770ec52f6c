import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// AVIF, HEIC and JPEG XL files from other encoders, and drawn TIFF, BMP and ICO files: all with known colours.
@Suite(.limitedConcurrency) struct CodedImageTests {
    private static let limits = DecodeLimits(maxPixels: 1 << 18, maxBytes: 1 << 26)

    static var files: [CodedFile] {
        var files: [CodedFile] = []
        #if AVIF
        files += CodedFile.avif
        #endif
        #if HEIC
        files += CodedFile.heic
        #endif
        #if JPEGXL
        files += CodedFile.jpegxl
        #endif
        #if TIFF
        files += TIFFFile.samples
        #endif
        return files + BMPFile.samples + ICOFile.samples
    }

    private static func decode(_ bytes: [UInt8]) throws(CodecError) -> PlanarImage {
        let header = try ImageHeader.read(bytes)
        let image = try ImageDecoder.decode(bytes, header: header, limits: limits)
        #expect(image.size == header.size)
        return image
    }

    @Test(arguments: files)
    func `an image has its size and colours`(file: CodedFile) throws {
        let header = try ImageHeader.read(file.bytes)
        #expect(header.size == file.size && header.bitDepth == file.depth && header.hasAlpha == file.hasAlpha)
        let image = try Self.decode(file.bytes)
        #expect(image.size == file.size && image.colorModel == file.model && header.colorModel == file.model)
        // Opaque alpha is dropped.
        #expect((image.alpha != nil) == file.quarters.contains { $0.alpha < 255 })
        let whole = FractionalRect(PixelRect(image.size))
        let colors = try Resampler.resample(image, region: whole, to: image.size, model: .rgb)
        for (index, wanted) in file.quarters.enumerated() {
            let x = index.isMultiple(of: 2) ? image.size.width / 8 : image.size.width * 7 / 8
            let y = index < 2 ? image.size.height / 8 : image.size.height * 7 / 8
            let alpha = image.alpha?[x: x, y: y] ?? 255
            #expect(abs(Int(alpha) - Int(wanted.alpha)) <= 6, "quarter \(index)")
            guard wanted.alpha > 0 else { continue }
            for (plane, value) in zip(colors.planes, [wanted.red, wanted.green, wanted.blue]) {
                #expect(abs(Int(plane[x: x, y: y]) - Int(value)) <= 10, "quarter \(index)")
            }
        }
    }

    @Test(arguments: files)
    func `a file truncated at any byte yields an error or an image`(file: CodedFile) throws {
        for length in 0..<file.bytes.count { _ = try? Self.decode(Array(file.bytes.prefix(length))) }
        // Another image in an icon may be complete.
        guard !file.name.hasPrefix("ico") else { return }
        #expect(throws: CodecError.self) { try Self.decode(Array(file.bytes.prefix(file.bytes.count / 5))) }
    }

    @Test(arguments: files)
    func `a file with wrong bytes yields an error or an image`(file: CodedFile) throws {
        var generator = SeededGenerator(seed: UInt64(file.bytes.count))
        for _ in 0..<150 {
            var damaged = file.bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 12..<damaged.count, using: &generator)
                damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let image = try? Self.decode(damaged) else { continue }
            #expect(image.planes.allSatisfy { ImageDifference($0, $0).maximum == 0 })
        }
    }

    @Test(arguments: files)
    func `limits reject an image before it is decoded`(file: CodedFile) throws {
        let header = try ImageHeader.read(file.bytes)
        let size = header.storedSize
        let bytes = header.decodedBytes(atScale: .full)
        #expect(bytes > 3 * size.area)
        for (limits, limit) in [
            (DecodeLimits(maxPixels: size.area - 1), CodecError.Limit.pixels(size.area - 1)),
            (DecodeLimits(maxSide: size.longSide - 1), .side(size.longSide - 1)),
            (DecodeLimits(maxBytes: bytes - 1), .bytes(bytes - 1)),
        ] {
            #expect(throws: CodecError.tooLarge(size, limit: limit)) {
                try ImageDecoder.decode(file.bytes, header: header, limits: limits)
            }
        }
    }

    #if AVIF
    @Test func `tiles are counted before they are decoded`() throws {
        let file = try #require(CodedFile.avif.first { $0.name == "avif-grid" })
        let header = try ImageHeader.read(file.bytes)
        #expect(throws: CodecError.tooLarge(file.size, limit: .tiles(3))) {
            try ImageDecoder.decode(file.bytes, header: header, limits: DecodeLimits(maxTiles: 3))
        }
        _ = try ImageDecoder.decode(file.bytes, header: header, limits: DecodeLimits(maxTiles: 4))
    }
    #endif

    @Test(arguments: InputFormat.allCases)
    func `every read-only format has a sample`(format: InputFormat) throws {
        #expect((format.sample == nil) == (format.written != nil))
        guard let sample = format.sample else { return }
        #expect(InputFormat.sniff(sample) == format)
        #expect(try Self.decode(sample).luma()[x: 0, y: 0] >= 250)
    }
}
