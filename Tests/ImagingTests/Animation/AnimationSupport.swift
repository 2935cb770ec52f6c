import Geometry
import Imaging
import TestImages
import Testing

/// Animations and their frames, for tests.
enum Animations {
    static let palette: [GIFFile.RGB] = [(0, 0, 0), (255, 0, 0), (0, 200, 0), (10, 20, 250)]

    /// All frames of a file.
    static func frames(_ bytes: [UInt8]) throws -> [AnimatedFrame] {
        let stream = try AnimationDecoder.frames(bytes, header: try ImageHeader.read(bytes))
        var frames: [AnimatedFrame] = []
        while let frame = try stream.next() { frames.append(frame) }
        return frames
    }

    /// Compares a frame with a naive canvas; the colour of invisible pixels is ignored.
    static func expect(_ image: PlanarImage, equals canvas: NaiveCanvas, _ comment: Comment) {
        var worst = 0.0
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let wanted = canvas.pixels[y * image.size.width + x]
                let alpha = Double(image.alpha?[x: x, y: y] ?? 255)
                worst = max(worst, abs(alpha - wanted[3] * 255))
                guard wanted[3] > 0 else { continue }
                for (channel, plane) in image.planes.enumerated() {
                    // The tolerance for the colour of a pixel depends on its alpha.
                    worst = max(worst, abs(Double(plane[x: x, y: y]) - wanted[channel] * 255) * wanted[3])
                }
            }
        }
        #expect(worst <= 1.5, comment)
    }

    /// An image of one colour with a square of another colour.
    static func square(at x: Int, _ y: Int, side: Int = 8, in size: PixelSize) throws -> PlanarImage {
        let square = PixelRect(x: x, y: y, width: side, height: side)
        return try TestImage.rgb(size) { column, row in
            square.contains(PixelRect(x: column, y: row, width: 1, height: 1)) ? (240, 30, 20) : (20, 60, 200)
        }
    }
}
