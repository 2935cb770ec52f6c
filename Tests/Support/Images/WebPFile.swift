import CWebP
package import Geometry
package import Imaging

/// Builds WebP files from chunks (RFC 9649, section 2), and decodes them with libwebp's simple API.
package enum WebPFile {
    /// Red, green, blue and alpha of one pixel, not premultiplied.
    package typealias RGBA = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    /// Bits in the first byte of a VP8X chunk.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let animation = Flags(rawValue: 0x02)
        package static let exif = Flags(rawValue: 0x08)
        package static let alpha = Flags(rawValue: 0x10)
        package static let profile = Flags(rawValue: 0x20)
    }

    /// A file with these chunks.
    package static func riff(_ chunks: [UInt8]) -> [UInt8] {
        chunk("RIFF", Array("WEBP".utf8) + chunks)
    }

    /// A chunk, padded to an even length.
    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        type.utf8 + number(data.count, bytes: 4) + data + (data.count.isMultiple(of: 2) ? [] : [0])
    }

    /// A file in the extended format.
    package static func extended(_ canvas: PixelSize, _ flags: Flags, _ chunks: [UInt8]) -> [UInt8] {
        let sides = number(canvas.width - 1, bytes: 3) + number(canvas.height - 1, bytes: 3)
        return riff(chunk("VP8X", [flags.rawValue, 0, 0, 0] + sides) + chunks)
    }

    /// An animation frame from the image chunks of a still file; `rect` starts at even coordinates.
    package static func frame(
        _ rect: PixelRect,
        _ image: [UInt8],
        milliseconds: Int = 100,
        replaces: Bool = false,
        isCleared: Bool = false
    ) -> [UInt8] {
        let place = number(rect.x / 2, bytes: 3) + number(rect.y / 2, bytes: 3)
        let sides = number(rect.width - 1, bytes: 3) + number(rect.height - 1, bytes: 3)
        return chunk(
            "ANMF",
            place + sides + number(milliseconds, bytes: 3) + [(replaces ? 2 : 0) | (isCleared ? 1 : 0)] + image
        )
    }

    /// An animation with an opaque red background colour, which readers ignore.
    package static func animation(_ canvas: PixelSize, _ frames: [UInt8], plays: Int = 0) -> [UInt8] {
        extended(canvas, [.animation, .alpha], chunk("ANIM", [0, 0, 255, 255] + number(plays, bytes: 2)) + frames)
    }

    /// The chunks of a file that contain its image.
    package static func image(of file: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 12
        while offset + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[offset + 4 + $1]) << (8 * $1) }
            let next = offset + 8 + length + length % 2
            let type = String(decoding: file[offset..<offset + 4], as: UTF8.self)
            if ["ALPH", "VP8 ", "VP8L"].contains(type) { result += file[offset..<next] }
            offset = next
        }
        return result
    }

    /// A lossless file; the colours of transparent pixels are not preserved.
    package static func lossless(_ size: PixelSize, pixel: (_ x: Int, _ y: Int) -> RGBA) throws -> [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = pixel(x, y)
                samples += [color.red, color.green, color.blue, color.alpha]
            }
        }
        var output: UnsafeMutablePointer<UInt8>?
        let (width, height) = (Int32(size.width), Int32(size.height))
        let count = WebPEncodeLosslessRGBA(samples, width, height, 4 * width, &output)
        defer { WebPFree(output) }
        guard count > 0 else { throw CodecError.failed("the test's encoder wrote nothing") }
        return Array(UnsafeBufferPointer(start: output, count: count))
    }

    /// The colours that libwebp decodes from a still file, without alpha.
    package static func reference(_ file: [UInt8]) throws -> PlanarImage {
        var (width, height): (Int32, Int32) = (0, 0)
        guard let samples = WebPDecodeRGB(file, file.count, &width, &height) else {
            throw CodecError.failed("libwebp does not read it")
        }
        defer { WebPFree(samples) }
        let row = Int(width)
        return try TestImage.rgb(PixelSize(width: row, height: Int(height))) { x, y in
            let start = 3 * (y * row + x)
            return (samples[start], samples[start + 1], samples[start + 2])
        }
    }

    private static func number(_ value: Int, bytes count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
