import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The properties of an animation in the structure of its file.
@Suite(.limitedConcurrency) struct AnimationInfoTests {
    private static let size = PixelSize(width: 12, height: 9)

    private static func gif(delays: [Int], repeats: Int?) -> [UInt8] {
        let frames = delays.enumerated().map { index, delay in
            var frame = GIFFile.Frame(PixelRect(size)) { x, _ in UInt8((x + index) % 4) }
            frame.delay = delay
            return frame
        }
        var file = GIFFile(size, palette: Animations.palette, frames: frames)
        file.repeats = repeats
        return file.bytes
    }

    private static func apng(delays: [(Int, Int)], plays: Int) -> APNGFile {
        let frames = delays.enumerated().map { index, delay in
            var frame = APNGFile.Frame(PixelRect(size)) { x, y in (UInt8(x * 9), UInt8(y * 9), UInt8(index), 255) }
            frame.delay = delay
            return frame
        }
        var file = APNGFile(size, frames: frames)
        file.plays = plays
        return file
    }

    private static func webp(delays: [Int], plays: Int) throws -> [UInt8] {
        var chunks: [UInt8] = []
        for (index, delay) in delays.enumerated() {
            let file = try WebPFile.lossless(size) { x, y in (UInt8(x * 9), UInt8(y * 9), UInt8(index * 50), 255) }
            chunks += WebPFile.frame(PixelRect(size), WebPFile.image(of: file), milliseconds: delay)
        }
        return WebPFile.animation(size, chunks, plays: plays)
    }

    /// The times of the frames; their sum is the duration of the animation.
    private static func times(_ bytes: [UInt8]) throws -> [Int] {
        let info = try #require(try ImageHeader.read(bytes).animation)
        let times = try Animations.frames(bytes).map(\.milliseconds)
        #expect(info.frames == times.count && info.duration == times.reduce(0, +))
        #expect(info.pixels == times.count * size.area)
        return times
    }

    private static func plays(_ bytes: [UInt8]) throws -> Int? { try ImageHeader.read(bytes).animation?.plays }

    @Test func `delays of up to 10 ms are shown for 100 ms`() throws {
        #expect(try Self.times(Self.gif(delays: [0, 1, 2, 50, 65_535], repeats: 0)) == [100, 100, 20, 500, 655_350])
        #expect(try Self.times(try Self.webp(delays: [0, 10, 11, 250], plays: 0)) == [100, 100, 11, 250])
        let fractions = [(0, 100), (1, 100), (1, 0), (3, 0), (1, 90), (3, 2), (65_535, 1)]
        #expect(
            try Self.times(Self.apng(delays: fractions, plays: 0).bytes) == [100, 100, 100, 30, 11, 1500, 16_777_215]
        )
    }

    @Test func `the number of plays is read from the format`() throws {
        let delays = [5, 5]
        for (repeats, plays) in [(nil, 1), (0, 0), (1, 2), (3, 4), (65_535, 65_536)] as [(Int?, Int)] {
            #expect(try Self.plays(Self.gif(delays: delays, repeats: repeats)) == plays)
        }
        for plays in [0, 1, 7, 65_535] {
            #expect(try Self.plays(try Self.webp(delays: delays, plays: plays)) == plays)
            #expect(try Self.plays(Self.apng(delays: [(1, 2), (1, 2)], plays: plays).bytes) == plays)
        }
    }

    @Test func `a single frame is not an animation`() throws {
        #expect(try ImageHeader.read(Self.gif(delays: [5], repeats: 0)).animation == nil)
        #expect(try ImageHeader.read(try Self.webp(delays: [5], plays: 0)).animation == nil)
        #expect(try ImageHeader.read(Self.apng(delays: [(1, 2)], plays: 0).bytes).animation == nil)
        let still = try ImageEncoder.encode(try TestImage.gradient(Self.size), as: .png)
        #expect(try ImageHeader.read(still).animation == nil)
    }

    @Test func `the hidden image of an APNG is not a frame`() throws {
        var file = Self.apng(delays: [(1, 2), (1, 2)], plays: 0)
        file.hidden = { _, _ in (9, 9, 9, 255) }
        let frames = try Animations.frames(file.bytes)
        #expect(
            frames.count == 2 && frames[0].image.planes[0][x: 1, y: 0] == 9
                && frames[0].image.planes[1][x: 1, y: 0] == 0
        )
        let still = try ImageDecoder.decode(file.bytes, header: try ImageHeader.read(file.bytes))
        #expect(still.planes[2][x: 1, y: 1] == 9)
    }

    @Test func `a frame counts as the pixels of the canvas, or as its own pixels if it is larger`() throws {
        let frames = [
            PixelRect(Self.size), PixelRect(x: 1, y: 1, width: 1, height: 1),
            PixelRect(x: 0, y: 0, width: 40, height: 40),
        ]
        let file = GIFFile(Self.size, palette: Animations.palette, frames: frames.map { .init($0) { _, _ in 1 } })
        #expect(try ImageHeader.read(file.bytes).animation?.pixels == 2 * Self.size.area + 1600)
    }

    /// A truncated file shows its complete frames.
    @Test func `a truncated file keeps the frames before the end`() throws {
        let files = [
            Self.gif(delays: [5, 5, 5], repeats: 0), try Self.webp(delays: [50, 50, 50], plays: 0),
            Self.apng(delays: [(1, 2), (1, 2), (1, 2)], plays: 0).bytes,
        ]
        for file in files {
            let whole = try Animations.frames(file)
            var maximum = 0
            for count in 0..<file.count {
                let cut = Array(file[..<count])
                guard let info = try? ImageHeader.read(cut).animation else { continue }
                let frames = try Animations.frames(cut)
                #expect((2...3).contains(frames.count) && frames.count <= info.frames)
                for (frame, wanted) in zip(frames, whole) {
                    #expect(frame.image.planes[2][x: 3, y: 3] == wanted.image.planes[2][x: 3, y: 3])
                }
                maximum = max(maximum, frames.count)
            }
            #expect(maximum >= 2)
        }
    }
}
