import Framing
import Geometry

/// A small image with patches on grey, in luma and chroma.
struct Scene {
    struct Color: Sendable {
        let luma: UInt8
        let blue: UInt8
        let red: UInt8

        init(_ luma: UInt8, _ blue: UInt8, _ red: UInt8) { (self.luma, self.blue, self.red) = (luma, blue, red) }
    }

    static let skin = Color(160, 104, 152)
    static let grass = Color(160, 90, 100)
    /// From dark to light: the BT.601 values of (74, 48, 36), (141, 85, 54), (198, 134, 104) and (241, 194, 170).
    static let complexions = [
        Color(54, 118, 142), Color(98, 103, 158), Color(150, 102, 162), Color(205, 108, 153),
    ]

    let size: PixelSize
    var luma: [UInt8]
    var blue: [UInt8]
    var red: [UInt8]

    /// A completely grey scene.
    init(width: Int, height: Int) {
        size = PixelSize(width: width, height: height)
        luma = [UInt8](repeating: 128, count: size.area)
        (blue, red) = (luma, luma)
    }

    /// The scene with new colours for pixels whose `change` is not nil.
    func painted(_ color: (_ x: Int, _ y: Int) -> Color?) -> Scene {
        var result = self
        for y in 0..<size.height {
            for x in 0..<size.width {
                guard let color = color(x, y) else { continue }
                let at = y * size.width + x
                (result.luma[at], result.blue[at], result.red[at]) = (color.luma, color.blue, color.red)
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

    var image: AttentionImage { AttentionImage(luma: luma, blue: blue, red: red, size: size) }

    func map(expecting expected: ExpectedSubject = .people) -> AttentionMap {
        AttentionMap(image, expecting: expected)
    }
}
