import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Files that lack a part of their data.
@Suite(.limitedConcurrency) struct DamagedImageTests {
    private static let size = PixelSize(width: 64, height: 160)

    private static func file(_ kind: Kind) throws -> [UInt8] {
        let noise = try TestImage.colorNoise(size, seed: 11)
        let seeThrough = PlanarImage(
            size: size,
            colorModel: .rgb,
            planes: noise.planes,
            alpha: try Plane(size) { x, y in UInt8(100 + (x + y) % 100) }
        )
        return switch kind {
        case .jpeg: try ImageEncoder.encode(noise, as: .jpeg, quality: 90)
        case .png: try ImageEncoder.encode(noise, as: .png)
        case .pngWithAlpha: try ImageEncoder.encode(seeThrough, as: .png)
        case .interlacedPNG:
            OddPNG(.rgb, isInterlaced: true).encode(size) { x, y, channel in (x * 37 + y * 91 + channel * 53) & 0xFF }
        case .webp: try ImageEncoder.encode(noise, as: .webp, quality: 90)
        case .losslessWebP:
            try WebPFile.lossless(size) { x, y in
                (noise.planes[0][x: x, y: y], noise.planes[1][x: x, y: y], noise.planes[2][x: x, y: y], 255)
            }
        case .gif:
            GIFFile(
                size,
                palette: Animations.palette,
                frames: [GIFFile.Frame(PixelRect(size)) { x, y in UInt8((x * 7 + y * 13 + x * y) % 4) }]
            ).bytes
        }
    }

    enum Kind: CaseIterable { case jpeg, png, pngWithAlpha, interlacedPNG, webp, losslessWebP, gif }

    private func decode(_ bytes: [UInt8], servesDamaged: Bool = true) throws -> PlanarImage {
        var limits = DecodeLimits()
        limits.servesDamaged = servesDamaged
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes), limits: limits)
    }

    /// A part of the first plane.
    private func luma(_ image: PlanarImage, _ part: PixelRect) throws -> Plane {
        try Resampler.resample(image.planes[0], region: FractionalRect(part), to: part.size)
    }

    @Test(arguments: Kind.allCases) func `a truncated file shows the available part`(kind: Kind) throws {
        let bytes = try Self.file(kind)
        let whole = try decode(bytes)
        #expect(!whole.isDamaged)
        let part = Array(bytes.prefix(bytes.count * 8 / 10))
        let image = try decode(part)
        #expect(image.isDamaged && image.size == Self.size && image.colorModel == whole.colorModel)
        // The upper half equals the upper half of the whole image. Pixels that were filtered together with missing
        // pixels are below it.
        if kind != .interlacedPNG {
            let upper = PixelRect(x: 0, y: 0, width: Self.size.width, height: Self.size.height / 2 - 16)
            #expect(ImageDifference(try luma(image, upper), try luma(whole, upper)).maximum == 0)
        }
        #expect(ImageDifference(image, whole).maximum > 0)
        #expect(ImageDifference(image, try decode(part)).maximum == 0)
        #expect(throws: CodecError.self) { try decode(part, servesDamaged: false) }
    }

    @Test(arguments: Kind.allCases) func `a file that lacks most of its data is rejected`(kind: Kind) throws {
        let bytes = try Self.file(kind)
        for share in [30, 40] {
            #expect(throws: CodecError.self) { try decode(Array(bytes.prefix(bytes.count * share / 100))) }
        }
    }

    @Test(arguments: [Kind.png, .pngWithAlpha, .webp, .losslessWebP, .gif])
    func `missing rows are white or transparent`(kind: Kind) throws {
        let bytes = try Self.file(kind)
        let image = try decode(Array(bytes.prefix(bytes.count * 7 / 10)))
        let (x, y) = (20, Self.size.height - 2)
        if kind == .pngWithAlpha {
            #expect(try #require(image.alpha)[x: x, y: y] == 0)
        } else {
            #expect(image.planes[0][x: x, y: y] == 255)
        }
    }

    @Test func `a wrong pixel checksum of a PNG is accepted, and a wrong header checksum is rejected`() throws {
        var bytes = try Self.file(.png)
        let whole = try decode(bytes)
        // The checksum of the last IDAT chunk, before the 12 bytes of IEND.
        bytes[bytes.count - 13] ^= 1
        let image = try decode(bytes)
        #expect(!image.isDamaged && ImageDifference(image, whole).maximum == 0)
        #expect(throws: CodecError.self) { try decode(bytes, servesDamaged: false) }
        var other = try Self.file(.png)
        // The checksum of IHDR, after the signature, its length, type and 13 bytes.
        other[29] ^= 1
        #expect(throws: CodecError.self) { try ImageHeader.read(other) }
    }

    @Test(arguments: [OddPNG.ColorType.rgb, .rgba, .gray, .palette], [(8, false), (8, true), (16, false), (16, true)])
    func `a PNG with wrong checksums is damaged only if its pixels are wrong`(
        type: OddPNG.ColorType,
        form: (depth: Int, isInterlaced: Bool)
    ) throws {
        let (depth, isInterlaced) = form
        guard type.depths.contains(depth) else { return }
        let colors: [UInt8] = (0..<768).map { UInt8($0 % 251) }
        let chunks = type == .palette ? [("PLTE", colors)] : []
        let png = OddPNG(type, depth: depth, isInterlaced: isInterlaced, chunks: chunks)
        let bytes = png.encode(PixelSize(width: 9, height: 7)) { x, y, _ in x * 3 + y }
        let whole = try decode(bytes)
        for name in ["IDAT", "PLTE"] {
            guard let place = bytes.firstRange(of: Array(name.utf8))?.lowerBound else { continue }
            let length = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
            var wrong = bytes
            wrong[place + 4 + length] ^= 1
            let image = try decode(wrong)
            #expect(!image.isDamaged && ImageDifference(image, whole).maximum == 0, "\(name)")
        }
        guard type != .palette, depth == 8, !isInterlaced else { return }
        // A pixel, stored without compression, before the checksum of the stream.
        var wrong = bytes
        wrong[wrong.count - 12 - 4 - 4 - 2] ^= 1
        let image = try decode(wrong)
        #expect(image.isDamaged)
    }

    @Test func `a JPEG with invalid codes in some rows is shown`() throws {
        var options = EncodingOptions(quality: 90)
        options.chroma = .halved
        let bytes = try ImageEncoder.encode(try TestImage.colorNoise(Self.size, seed: 3), as: .jpeg, options)
        var seed = SeededGenerator(seed: 1)
        var shown = 0
        for _ in 0..<40 {
            var broken = bytes
            let place = Int.random(in: bytes.count / 2..<bytes.count * 3 / 4, using: &seed)
            broken.replaceSubrange(place..<place + 3, with: [0x7F, 0xFF, 0x00])
            guard let image = try? decode(broken) else { continue }
            shown += 1
            let upper = PixelRect(x: 0, y: 0, width: Self.size.width, height: 48)
            let whole = try decode(bytes)
            #expect(ImageDifference(try luma(image, upper), try luma(whole, upper)).maximum == 0)
        }
        #expect(shown >= 30)
    }

    /// A JPEG with a restart marker after each of its 20 rows of blocks, assembled from files with one row, and the
    /// positions of the markers.
    private static func restarting() throws -> (bytes: [UInt8], markers: [Int]) {
        var (bytes, markers): ([UInt8], [Int]) = ([], [])
        for row in 0..<20 {
            let part = try TestImage.colorNoise(PixelSize(width: 64, height: 8), seed: UInt64(row))
            let file = try ImageEncoder.encode(part, as: .jpeg, quality: 90)
            let scan = try #require(file.firstRange(of: [0xFF, 0xDA])).lowerBound
            let data = scan + 2 + Int(file[scan + 3])
            if row == 0 {
                bytes = Array(file[..<scan])
                // The height in the frame header, and the interval of eight blocks.
                bytes[try #require(file.firstRange(of: [0xFF, 0xC0])).lowerBound + 6] = 160
                bytes += [0xFF, 0xDD, 0, 4, 0, 8] + file[scan..<data]
            } else {
                markers.append(bytes.count)
                bytes += [0xFF, 0xD0 + UInt8((row - 1) % 8)]
            }
            bytes += file[data..<file.count - 2]
        }
        return (bytes + [0xFF, 0xD9], markers)
    }

    @Test func `a JPEG with wrong and missing restart markers shows the available part`() throws {
        let (file, markers) = try Self.restarting()
        let whole = try decode(file)
        #expect(!whole.isDamaged)
        var wrong = file
        wrong[markers[4] + 1] ^= 4
        // The marker differs too much from the expected one, so decoding continues after it.
        let image = try decode(wrong)
        #expect(image.isDamaged && ImageDifference(image, whole).maximum == 0)
        // All markers after four missing rows are wrong; these rows are missing at the end.
        let shifted = try decode(Array(file[..<markers[3]] + file[markers[7]...]))
        #expect(shifted.isDamaged)
        let upper = PixelRect(x: 0, y: 0, width: 64, height: 32)
        #expect(ImageDifference(try luma(shifted, upper), try luma(whole, upper)).maximum == 0)
        #expect(shifted.planes[0][x: 5, y: 158] == 128)
        #expect(throws: CodecError.self) { try decode(Array(file[..<markers[3]] + file[markers[15]...])) }
        #expect(throws: CodecError.self) { try decode(wrong, servesDamaged: false) }
    }

    @Test func `the last available bytes of a PNG are used`() throws {
        for isInterlaced in [false, true] {
            let file = OddPNG(.gray, isInterlaced: isInterlaced).encode(Self.size) { x, y, _ in (x * 7 + y * 3) & 0xFF }
            for share in [55, 70, 95] {
                let part = try decode(Array(file.prefix(file.count * share / 100)))
                #expect(part.isDamaged && part.planes[0][x: 8, y: 8] == 80)
            }
            #expect(throws: CodecError.self) { try decode(Array(file.prefix(file.count * 45 / 100))) }
        }
    }

    @Test func `a palette in a truecolour PNG is ignored`() throws {
        for palette in [[], [1, 2], Array(repeating: 5, count: 900)] as [[UInt8]] {
            let file = OddPNG(.rgba, chunks: [("PLTE", palette)]).encode(Self.size) { x, _, _ in x }
            let image = try decode(file)
            #expect(!image.isDamaged && image.planes[2][x: 33, y: 70] == 33)
        }
    }

    @Test func `missing strips and rows of TIFF and BMP files are white`() throws {
        var files = [BMPFile.samples.first { $0.name == "bmp-24-from-top" }]
        #if TIFF
        files.append(TIFFFile.samples.first { $0.name == "tiff-rgb" })
        #endif
        for case let file? in files {
            let image = try decode(Array(file.bytes.dropLast(200)))
            #expect(image.isDamaged && image.planes[1][x: 3, y: file.size.height - 1] == 255)
            #expect(image.planes[0][x: 3, y: 3] == file.quarters[0].red)
            #expect(throws: CodecError.self) { try decode(Array(file.bytes.dropLast(200)), servesDamaged: false) }
        }
    }

    @Test func `a crop above the damage is complete`() throws {
        let bytes = try Self.file(.jpeg)
        let part = Array(bytes.prefix(bytes.count * 8 / 10))
        let header = try ImageHeader.read(part)
        let upper = PixelRect(x: 0, y: 0, width: 64, height: 40)
        #expect(try !ImageDecoder.decode(part, header: header, scale: .full, covering: upper).image.isDamaged)
        let lower = PixelRect(x: 0, y: 120, width: 64, height: 40)
        #expect(try ImageDecoder.decode(part, header: header, scale: .full, covering: lower).image.isDamaged)
        #expect(try ImageDecoder.luma(part, header: header, scale: .full, limits: DecodeLimits()).isDamaged)
    }
}
