import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Compares the frames of every format with a naive canvas.
@Suite(.limitedConcurrency) struct CompositionTests {
    private static let size = PixelSize(width: 22, height: 16)
    private static let rects = [
        PixelRect(size), PixelRect(x: 2, y: 4, width: 9, height: 7), PixelRect(x: 6, y: 0, width: 16, height: 12),
        PixelRect(x: 0, y: 8, width: 4, height: 8), PixelRect(size),
    ]

    /// A partly transparent pattern, different for each frame.
    private static func pixel(_ frame: Int, _ x: Int, _ y: Int) -> WebPFile.RGBA {
        let alpha: [UInt8] = [255, 0, 128, 255, 40]
        let value = x * 7 + y * 13 + frame * 31
        return (UInt8(value % 256), UInt8(value * 3 % 256), UInt8(255 - value % 256), alpha[(x / 2 + y + frame) % 5])
    }

    @Test(arguments: NaiveCanvas.Disposal.allCases, [false, true])
    func `the frames of an APNG equal the naive canvas`(disposal: NaiveCanvas.Disposal, blends: Bool) throws {
        let frames = Self.rects.enumerated().map { index, rect in
            var frame = APNGFile.Frame(rect) { Self.pixel(index, $0, $1) }
            frame.disposal =
                switch disposal {
                case .keep: 0
                case .clear: 1
                case .restore: 2
                }
            frame.blending = blends ? 1 : 0
            return frame
        }
        let decoded = try Animations.frames(APNGFile(Self.size, frames: frames).bytes)
        try #require(decoded.count == frames.count)
        var canvas = NaiveCanvas(Self.size)
        for (index, rect) in Self.rects.enumerated() {
            canvas.draw(in: rect, disposal, blends: blends) { Self.pixel(index, $0, $1) }
            Animations.expect(decoded[index].image, equals: canvas, "frame \(index)")
        }
    }

    @Test(arguments: [NaiveCanvas.Disposal.keep, .clear], [false, true])
    func `the frames of a WebP equal the naive canvas`(disposal: NaiveCanvas.Disposal, blends: Bool) throws {
        var chunks: [UInt8] = []
        for (index, rect) in Self.rects.enumerated() {
            let file = try WebPFile.lossless(rect.size) { Self.pixel(index, $0, $1) }
            chunks += WebPFile.frame(
                rect,
                WebPFile.image(of: file),
                replaces: !blends,
                isCleared: disposal == .clear
            )
        }
        let decoded = try Animations.frames(WebPFile.animation(Self.size, chunks))
        try #require(decoded.count == Self.rects.count)
        var canvas = NaiveCanvas(Self.size)
        for (index, rect) in Self.rects.enumerated() {
            canvas.draw(in: rect, disposal, blends: blends) { Self.pixel(index, $0, $1) }
            Animations.expect(decoded[index].image, equals: canvas, "frame \(index)")
        }
    }

    @Test(arguments: [UInt8](0...7), [false, true])
    func `the frames of a GIF equal the naive canvas`(method: UInt8, isInterlaced: Bool) throws {
        // Some frames extend beyond the screen, and one is outside it.
        let rects =
            Self.rects + [
                PixelRect(x: 15, y: 10, width: 20, height: 20), PixelRect(x: 100, y: 3, width: 5, height: 5),
                PixelRect(x: 3, y: 3, width: 5, height: 5),
            ]
        let own: [GIFFile.RGB] = [(1, 2, 3), (4, 5, 6), (70, 80, 90), (255, 255, 255)]
        func index(_ frame: Int, _ x: Int, _ y: Int) -> UInt8 { UInt8((x / 2 + y + frame) % 4) }
        var frames: [GIFFile.Frame] = []
        for (number, rect) in rects.enumerated() {
            var frame = GIFFile.Frame(rect, transparent: 2) { index(number, $0, $1) }
            frame.disposal = method
            frame.isInterlaced = isInterlaced
            if number % 2 == 1 { frame.palette = own }
            frames.append(frame)
        }
        let decoded = try Animations.frames(GIFFile(Self.size, palette: Animations.palette, frames: frames).bytes)
        try #require(decoded.count == frames.count)
        let disposal: NaiveCanvas.Disposal =
            switch method {
            case 2: .clear
            case 3, 4: .restore
            default: .keep
            }
        var canvas = NaiveCanvas(Self.size)
        for (number, rect) in rects.enumerated() {
            canvas.draw(in: rect, disposal, blends: true) { x, y in
                let value = index(number, x, y)
                let color = (number % 2 == 1 ? own : Animations.palette)[Int(value)]
                return (color.red, color.green, color.blue, value == 2 ? 0 : 255)
            }
            Animations.expect(decoded[number].image, equals: canvas, "frame \(number)")
        }
    }

    @Test func `each frame has a separate disposal method`() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let steps = (0..<8).map { _ in
                let (x, y) = (Int.random(in: 0..<21, using: &generator), Int.random(in: 0..<15, using: &generator))
                let rect = PixelRect(
                    x: x,
                    y: y,
                    width: .random(in: 1...(22 - x), using: &generator),
                    height: .random(in: 1...(16 - y), using: &generator)
                )
                return (rect, NaiveCanvas.Disposal.allCases.randomElement(using: &generator) ?? .keep)
            }
            var canvas = NaiveCanvas(Self.size)
            let first = APNGFile.Frame(PixelRect(Self.size)) { Self.pixel(0, $0, $1) }
            canvas.draw(in: first.rect, .keep, blends: false) { Self.pixel(0, $0, $1) }
            let frames = steps.enumerated().map { index, step in
                var frame = APNGFile.Frame(step.0) { Self.pixel(index, $0, $1) }
                frame.disposal =
                    switch step.1 {
                    case .keep: 0
                    case .clear: 1
                    case .restore: 2
                    }
                frame.blending = UInt8(index % 2)
                return frame
            }
            let decoded = try Animations.frames(APNGFile(Self.size, frames: [first] + frames).bytes)
            try #require(decoded.count == 9)
            for (index, step) in steps.enumerated() {
                canvas.draw(in: step.0, step.1, blends: index % 2 == 1) { Self.pixel(index, $0, $1) }
                Animations.expect(decoded[index + 1].image, equals: canvas, "frame \(index + 1)")
            }
        }
    }
}
