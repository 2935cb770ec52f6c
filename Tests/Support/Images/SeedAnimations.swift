import Geometry
import Imaging

/// Small animations of every kind that the decoders distinguish.
package enum SeedAnimations {
    private static let size = PixelSize(width: 14, height: 11)
    private static let rects = [
        PixelRect(size), PixelRect(x: 2, y: 4, width: 9, height: 7), PixelRect(x: 6, y: 0, width: 8, height: 6),
    ]

    private static func pixel(_ frame: Int, _ x: Int, _ y: Int) -> WebPFile.RGBA {
        let channels = [x * 17, y * 21, frame * 70].map(UInt8.init(truncatingIfNeeded:))
        return (channels[0], channels[1], channels[2], [255, 0, 128][(x + y + frame) % 3])
    }

    package static func gif() -> [[UInt8]] {
        (0..<4).map { kind in
            let frames = rects.enumerated().map { number, rect in
                var frame = GIFFile.Frame(rect, transparent: kind % 2 == 0 ? 1 : nil) { x, y in
                    UInt8((x + y + number) % 4)
                }
                frame.disposal = UInt8((kind + number) % 4)
                frame.delay = number
                frame.isInterlaced = kind == 3
                if number == 1 { frame.palette = [(1, 2, 3), (9, 9, 9), (200, 0, 0), (0, 0, 255)] }
                return frame
            }
            var file = GIFFile(size, palette: [(0, 0, 0), (255, 0, 0), (0, 255, 0), (9, 9, 255)], frames: frames)
            file.repeats = kind == 0 ? nil : kind
            return file.bytes
        }
    }

    package static func apng() -> [[UInt8]] {
        (0..<4).map { kind in
            let frames = rects.enumerated().map { number, rect in
                var frame = APNGFile.Frame(rect) { pixel(number, $0, $1) }
                frame.disposal = UInt8((kind + number) % 3)
                frame.blending = UInt8(kind % 2)
                frame.delay = (number, kind)
                return frame
            }
            var file = APNGFile(size, frames: frames)
            if kind == 3 { file.hidden = { pixel(9, $0, $1) } }
            return file.bytes
        }
    }

    package static func webp() throws -> [[UInt8]] {
        try (0..<4).map { kind in
            var chunks: [UInt8] = []
            for (number, rect) in rects.enumerated() {
                let image = try TestImage.gradient(rect.size)
                let file =
                    try kind % 2 == 0
                    ? WebPFile.lossless(rect.size) { pixel(number, $0, $1) } : ImageEncoder.encode(image, as: .webp)
                chunks += WebPFile.frame(
                    rect,
                    WebPFile.image(of: file),
                    milliseconds: number * 20,
                    replaces: kind > 1,
                    isCleared: number == 1
                )
            }
            return WebPFile.animation(size, chunks, plays: kind)
        }
    }
}
