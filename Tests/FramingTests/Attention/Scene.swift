import Framing
import Geometry

/// A small picture of patches on grey, in luma and chroma.
struct Scene {
    struct Color: Sendable {
        let luma: UInt8
        let blue: UInt8
        let red: UInt8

        init(_ luma: UInt8, _ blue: UInt8, _ red: UInt8) { (self.luma, self.blue, self.red) = (luma, blue, red) }
    }

    static let skin = Color(160, 104, 152)
    static let grass = Color(160, 90, 100)
    /// From dark to light; BT.601 of (74, 48, 36), (141, 85, 54), (198, 134, 104) and (241, 194, 170).
    static let complexions = [
        Color(54, 118, 142), Color(98, 103, 158), Color(150, 102, 162), Color(205, 108, 153),
    ]

    let size: PixelSize
    let bytesPerRow: Int
    var luma: [UInt8]
    var blue: [UInt8]
    var red: [UInt8]

    /// Grey; `padding` bytes of nonsense follow each row.
    init(width: Int, height: Int, padding: Int = 0) {
        size = PixelSize(width: width, height: height)
        bytesPerRow = width + padding
        luma = [UInt8](repeating: 7, count: bytesPerRow * height)
        blue = [UInt8](repeating: 102, count: bytesPerRow * height)
        red = [UInt8](repeating: 153, count: bytesPerRow * height)
        for y in 0..<height {
            for index in (y * bytesPerRow)..<(y * bytesPerRow + width) {
                (luma[index], blue[index], red[index]) = (128, 128, 128)
            }
        }
    }

    func painted(_ color: (_ x: Int, _ y: Int) -> Color?) -> Scene {
        var result = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                guard let color = color(x, y) else { continue }
                result.luma[y * bytesPerRow + x] = color.luma
                result.blue[y * bytesPerRow + x] = color.blue
                result.red[y * bytesPerRow + x] = color.red
            }
        }
        return result
    }

    func ellipse(x centreX: Int, y centreY: Int, radius: Int, _ color: Color) -> Scene {
        painted { x, y in
            let (a, b) = (x - centreX, y - centreY)
            return a * a * 4 + b * b * 3 <= radius * radius * 3 ? color : nil
        }
    }

    var map: AttentionMap { map(expecting: .people) }

    func map(expecting expected: ExpectedSubject) -> AttentionMap {
        AttentionMap(
            luma: luma.span,
            blue: blue.span,
            red: red.span,
            size: size,
            bytesPerRow: bytesPerRow,
            expecting: expected
        )
    }
}
