import Geometry
import Glibc
import Imaging
import TestPacing
import TestImages
import Testing

/// Processor time must be proportional to the bytes and the pixels of a file, even if its header repeats parts.
@Suite(.limitedConcurrency) struct LargeHeaderTests {
    private static let bytes = 1 << 20

    /// The processor time of this thread in seconds.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try body()
        return now() - start
    }

    private func expectLinear(_ file: [UInt8], _ name: String) {
        // The slowest case takes less than 0.1 s in an optimised build; a quadratic algorithm would take minutes.
        let seconds = time { _ = DecodedDigest(file, maxFrames: 10_000) }
        #expect(seconds < 3, "\(name) of \(file.count) bytes: \(seconds) s")
    }

    /// A unit, repeated as often as it fits into the file.
    private static func repeated(_ unit: [UInt8]) -> [UInt8] {
        Array(repeatElement(unit, count: bytes / unit.count).joined())
    }

    @Test(arguments: [0xE0, 0xE1, 0xE2, 0xED, 0xEE, 0xFE, 0xDD] as [UInt8])
    func `many JPEG segments take linear time`(marker: UInt8) throws {
        let file = try ImageEncoder.encode(TestImage.waves(PixelSize(width: 16, height: 16)), as: .jpeg)
        let contents: [[UInt8]] =
            marker == 0xDD ? [[0, 0]] : [[], Array("Exif\0\0".utf8) + [1], Array("ICC_PROFILE\0".utf8) + [1, 2, 0]]
        for content in contents {
            let segments = Self.repeated([0xFF, marker, 0, UInt8(content.count + 2)] + content)
            expectLinear(Array(file[..<2]) + segments + file[2...], "\(marker)")
        }
    }

    @Test(arguments: ["tEXt", "iCCP", "abCd", "PLTE", "tRNS", "eXIf", "IDAT", "fcTL", "acTL"])
    func `many PNG chunks take linear time`(type: String) throws {
        let file = OddPNG(.rgb).encode(PixelSize(width: 3, height: 3)) { x, y, _ in x + y }
        let chunks = Self.repeated(OddPNG.chunk(type, []))
        expectLinear(Array(file[..<33]) + chunks + file[33...], type)
        expectLinear(Array(file.dropLast(12)) + chunks + file.suffix(12), type)
    }

    /// Every frame needs the chunk, so it is copied for each frame.
    @Test(arguments: ["PLTE", "tRNS"])
    func `a long colour chunk is not parsed again for each frame`(type: String) throws {
        let size = PixelSize(width: 2, height: 2)
        let frames = (0..<2000).map { number in
            APNGFile.Frame(PixelRect(size)) { x, y in (UInt8(x), UInt8(y), UInt8(number & 255), 255) }
        }
        let file = APNGFile(size, frames: frames).bytes
        let chunk = OddPNG.chunk(type, Array(repeating: 7, count: 3 * (Self.bytes / 3)))
        let long = Array(file[..<33]) + chunk + file[33...]
        let header = try ImageHeader.read(long)
        #expect(header.animation?.frames == 2000)
        expectLinear(long, type)
    }

    @Test(arguments: [[0x21, 0xFE, 0], [0x21, 0xF9, 4, 0, 0, 0, 0, 0], [0x21, 0xFF, 1, 9, 0]] as [[UInt8]])
    func `many GIF extensions take linear time`(block: [UInt8]) throws {
        let file = try #require(SeedAnimations.gif().first)
        // Inserts the units after the screen descriptor and its four colours.
        expectLinear(Array(file[..<25]) + Self.repeated(block) + file[25...], "\(block)")
    }

    @Test(arguments: ["abcd", "EXIF", "ICCP", "ALPH", "ANIM", "ANMF"])
    func `many WebP chunks take linear time`(type: String) throws {
        let size = PixelSize(width: 14, height: 11)
        let lossy = try ImageEncoder.encode(TestImage.waves(size), as: .webp)
        let frame = WebPFile.frame(PixelRect(size), WebPFile.image(of: lossy))
        let chunks = Self.repeated(WebPFile.chunk(type, []))
        expectLinear(WebPFile.animation(size, frame + chunks + frame), type)
        expectLinear(WebPFile.animation(size, chunks + frame + frame), type)
    }
}
