import Geometry
import Imaging

/// Small files of every kind that the decoders distinguish.
package enum SeedImages {
    private static let size = PixelSize(width: 21, height: 17)

    package static func jpeg() throws -> [[UInt8]] {
        let samplings: [[(horizontal: Int, vertical: Int)]] = [
            [(1, 1), (1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)], [(2, 1), (1, 1), (1, 1), (2, 1)],
            [(1, 2), (1, 1), (1, 1), (1, 2)],
        ]
        var files: [[UInt8]] = []
        for color in OddJPEG.Color.allCases {
            for sampling in samplings {
                for isProgressive in [false, true] {
                    let kind = OddJPEG(color, sampling: sampling, isProgressive: isProgressive, quality: 60)
                    guard let file = try? kind.encode(size, value: { Double($0) * 40 + $1 * 5 + $2 }) else { continue }
                    files.append(file)
                }
            }
        }
        files += try (2...8).map { JPEGSegments.tagged($0, try ImageEncoder.encode(TestImage.waves(size), as: .jpeg)) }
        if let arithmetic = try? OddJPEG(.ycbcr, isArithmetic: true).encode(size, value: { $1 + $2 + Double($0) }) {
            files.append(arithmetic)
        }
        return files
    }

    package static func png() -> [[UInt8]] {
        OddPNG.ColorType.allCases.flatMap { type in
            type.depths.flatMap { depth in
                [false, true].map { isInterlaced in
                    var kind = OddPNG(type, depth: depth, isInterlaced: isInterlaced)
                    if type == .palette {
                        kind.chunks = [("PLTE", Array(repeating: 77, count: 3 << depth)), ("tRNS", [9])]
                    }
                    return kind.encode(size) { x, y, channel in (x * 3 + y * 5 + channel) % (1 << depth) }
                }
            }
        }
    }

    package static func gif() -> [[UInt8]] {
        let palette: [GIFFile.RGB] = [(0, 0, 0), (255, 0, 0), (0, 255, 0), (9, 9, 255)]
        func index(_ x: Int, _ y: Int) -> UInt8 { UInt8((x + y / 2) % 4) }
        let part = PixelRect(x: 3, y: 2, width: 10, height: 9)
        let empty = GIFFile.Frame(PixelRect(size), transparent: 1) { _, _ in 1 }
        var interlaced = GIFFile.Frame(part, transparent: 2, index: index)
        interlaced.isInterlaced = true
        interlaced.palette = palette
        let frames: [[GIFFile.Frame]] = [[.init(PixelRect(size), index: index)], [empty, interlaced]]
        return frames.map { GIFFile(size, palette: palette, frames: $0).bytes } + [InputFormat.gif.sample ?? []]
    }

    package static func webp() throws -> [[UInt8]] {
        let lossy = try ImageEncoder.encode(TestImage.waves(size), as: .webp, quality: 50)
        let lossless = try WebPFile.lossless(size) { x, y in
            (UInt8(x * 9), UInt8(y * 9), UInt8(x ^ y), x > y ? 255 : 90)
        }
        let frame = WebPFile.frame(PixelRect(x: 0, y: 0, width: 21, height: 17), WebPFile.image(of: lossy))
        return [
            lossy, lossless,
            WebPFile.riff(
                WebPFile.extended(size, .exif, WebPFile.image(of: lossy))
                    + WebPFile.chunk("EXIF", ExifBlock.tiff(orientation: 6))
            ),
            WebPFile.animation(size, frame + frame),
        ]
    }
}
