import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct GIFCroppingTests {
    private static let size = PixelSize(width: 21, height: 17)

    private static func frames() -> [GIFFile.Frame] {
        let rects = [
            PixelRect(size), PixelRect(x: 3, y: 2, width: 10, height: 9),
            PixelRect(x: 15, y: 12, width: 30, height: 30),
            PixelRect(x: 0, y: 0, width: 2, height: 2), PixelRect(x: 6, y: 5, width: 8, height: 8),
        ]
        return rects.enumerated().map { number, rect in
            var frame = GIFFile.Frame(rect, transparent: 1) { x, y in UInt8((x / 3 + y / 2 + number) % 4) }
            frame.disposal = UInt8(number % 4)
            frame.delay = 3 + number
            frame.isInterlaced = number % 2 == 1
            if number == 2 { frame.palette = [(9, 8, 7), (6, 5, 4), (3, 2, 1), (0, 9, 0)] }
            return frame
        }
    }

    @Test(arguments: [
        PixelRect(size), PixelRect(x: 2, y: 1, width: 15, height: 13), PixelRect(x: 7, y: 6, width: 3, height: 3),
        PixelRect(x: 20, y: 16, width: 1, height: 1),
    ])
    func `every frame is cropped to the same rectangle`(rect: PixelRect) throws {
        let file = GIFFile(Self.size, palette: Animations.palette, frames: Self.frames()).bytes
        let cropped = try GIFCropping.crop(file, to: rect, plays: 3)
        #expect(try ImageHeader.read(cropped).animation?.plays == 3)
        let (before, after) = (try Animations.frames(file), try Animations.frames(cropped))
        try #require(before.count == after.count)
        for (whole, part) in zip(before, after) {
            #expect(part.image.size == rect.size && part.milliseconds == whole.milliseconds)
            for y in 0..<rect.height {
                for x in 0..<rect.width {
                    let alpha = whole.image.alpha?[x: rect.x + x, y: rect.y + y] ?? 255
                    #expect((part.image.alpha?[x: x, y: y] ?? 255) == alpha)
                    guard alpha > 0 else { continue }
                    for channel in 0..<3 {
                        #expect(
                            part.image.planes[channel][x: x, y: y]
                                == whole.image.planes[channel][x: rect.x + x, y: rect.y + y]
                        )
                    }
                }
            }
        }
    }

    @Test func `indices beyond the palette stay transparent`() throws {
        let frames = (0..<2).map { number in
            GIFFile.Frame(PixelRect(Self.size)) { x, _ in UInt8((x + number) % 7) }
        }
        let file = GIFFile(Self.size, palette: Animations.palette, frames: frames).bytes
        let rect = PixelRect(x: 0, y: 0, width: 14, height: 9)
        let after = try Animations.frames(try GIFCropping.crop(file, to: rect, plays: 0))
        for x in 0..<14 {
            #expect((after[0].image.alpha?[x: x, y: 2] ?? 255) == (x % 7 < 4 ? 255 : 0))
        }
    }

    @Test func `a damaged frame ends the animation unless it is the first frame`() throws {
        let file = GIFFile(Self.size, palette: Animations.palette, frames: Self.frames()).bytes
        let rect = PixelRect(x: 1, y: 1, width: 9, height: 9)
        var counts: Set<Int> = []
        for count in 20..<file.count {
            let cut = try? GIFCropping.crop(Array(file[..<count]), to: rect, plays: 0)
            counts.insert(try cut.map { try ImageHeader.read($0).animation?.frames ?? 1 } ?? 0)
        }
        #expect(counts == [0, 1, 2, 3, 4, 5])
    }

    @Test func `an error from the caller stops the work`() throws {
        struct Stop: Error {}
        let file = GIFFile(Self.size, palette: Animations.palette, frames: Self.frames()).bytes
        #expect(throws: Stop.self) {
            _ = try GIFCropping.crop(file, to: PixelRect(Self.size), plays: 0) { throw Stop() }
        }
    }
}
