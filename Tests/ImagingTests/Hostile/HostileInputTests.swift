import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// A damaged file must yield an error or an image of the declared size, without a crash, a hang or an invalid read.
@Suite(.limitedConcurrency) struct HostileInputTests {
    private static let limits = DecodeLimits(maxPixels: 1 << 20, maxBytes: 1 << 24)

    /// Small files of many kinds.
    private static func samples() throws -> [[UInt8]] {
        let size = PixelSize(width: 29, height: 23)
        func wave(_ component: Int, _ x: Double, _ y: Double) -> Double {
            Double(((Int(x * 9) ^ Int(y * 7)) + component * 40) & 0xFF)
        }
        func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x * 9 ^ y * 7 ^ channel) & 1 }
        let jpegs = [
            OddJPEG(.gray),
            OddJPEG(.ycbcr, sampling: [(2, 2), (1, 1), (1, 1)]),
            OddJPEG(.ycbcr, sampling: [(2, 1), (1, 1), (1, 1)], isProgressive: true),
            OddJPEG(.ycbcr, sampling: [(2, 2), (1, 2), (2, 1)], isArithmetic: true),
            OddJPEG(.ycck, sampling: [(2, 2), (1, 1), (1, 1), (2, 2)], isProgressive: true),
        ]
        let pngs = [
            OddPNG(.gray, depth: 1),
            OddPNG(.rgba, isInterlaced: true, chunks: [("eXIf", ExifBlock.tiff(orientation: 6))]),
            OddPNG(.palette, depth: 1, chunks: [("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [7])]),
        ]
        return try jpegs.map { JPEGSegments.tagged(7, try $0.encode(size, value: wave)) }
            + pngs.map { $0.encode(size, sample: pixel) }
            + [try ImageEncoder.encode(try TestImage.gradient(size), as: .png)]
    }

    /// Decodes arbitrary bytes and reads every pixel, so that a sanitizer can detect invalid memory accesses.
    private static func decode(_ bytes: [UInt8], servesDamaged: Bool = true) throws -> Bool {
        var limits = limits
        limits.servesDamaged = servesDamaged
        do {
            let header = try ImageHeader.read(bytes)
            for eighths in [8, 3] {
                let scale = DecodeScale(eighths: eighths)
                let image = try ImageDecoder.decode(bytes, header: header, scale: scale, limits: limits)
                #expect(image.size == header.size(atScale: scale))
                #expect(image.planes.allSatisfy { ImageDifference($0, $0).maximum == 0 })
                let luma = try ImageDecoder.decodeLuma(bytes, header: header, scale: scale, limits: limits)
                #expect(luma.size == image.size)
            }
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: 0..<9)
    func `a file truncated at any byte yields an error or an image`(index: Int) throws {
        let bytes = try Self.samples()[index]
        #expect(try Self.decode(bytes))
        var images = 0
        for length in 0..<bytes.count {
            let part = Array(bytes.prefix(length))
            let isWhole = try Self.decode(part, servesDamaged: false)
            if isWhole { images += 1 }
            #expect(try Self.decode(part) || !isWhole)
        }
        // Decoding a PNG requires all image data, but not their checksum or the last chunk.
        if OutputFormat.sniff(bytes) == .png { #expect(images <= 24) }
    }

    @Test(arguments: 0..<9)
    func `a file with wrong bytes yields an error or an image`(index: Int) throws {
        let bytes = try Self.samples()[index]
        var generator = SeededGenerator(seed: UInt64(index))
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 2..<damaged.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: damaged.remove(at: place)
                default: damaged.insert([0, 0xFF, 0x80].randomElement(using: &generator) ?? 0, at: place)
                }
            }
            _ = try Self.decode(damaged)
        }
    }

    @Test func `many threads can decode, scale and encode at the same time`() async throws {
        let source = try TestImage.waves(PixelSize(width: 120, height: 90))
        let jpeg = JPEGSegments.tagged(6, try ImageEncoder.encode(source, as: .jpeg))
        let results = await withTaskGroup(of: [UInt8]?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    guard let header = try? ImageHeader.read(jpeg),
                        let image = try? ImageDecoder.decode(jpeg, header: header)
                    else { return nil }
                    let region = FractionalRect(x: 3, y: 5, width: 80, height: 100)
                    let size = PixelSize(width: 40, height: 50)
                    let crop = try? Resampler.resample(image, region: region, to: size, model: .rgb)
                    return crop.flatMap { try? ImageEncoder.encode($0, as: .png) }
                }
            }
            return await group.reduce(into: [[UInt8]?]()) { $0.append($1) }
        }
        #expect(results.count == 16 && results[0] != nil && results.allSatisfy { $0 == results[0] })
    }
}
