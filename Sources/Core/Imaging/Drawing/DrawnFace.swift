package import Geometry

/// A frontal face drawn in code, which the detector finds at sides from 80 to 400 pixels with scores above 1.3.
///
/// Tests and `headroom doctor` need an image with a face at a known position. They draw the face, so that no photograph
/// of a person is stored. The face is a stack of soft ellipses: dark brows, sockets, nostrils and mouth on a bright
/// oval with dark hair around it. It is symmetric, and drawn without libm, so that every host draws the same bytes.
package struct DrawnFace: Hashable, Sendable {
    /// The square from brow to chin in pixels of the image: the expected box of a detector.
    ///
    /// Hair and shoulders extend beyond the square, so leave half a side of space on all four sides.
    package var box: PixelRect

    /// A face whose square starts at (`x`, `y`) and is `side` pixels wide and high.
    package init(x: Int, y: Int, side: Int) { box = PixelRect(x: x, y: y, width: side, height: side) }

    /// Draws faces over a plain background as 8-bit luma, row after row without padding.
    ///
    /// The luma follows Rec. 601, as in JPEG.
    ///
    /// - Parameters:
    ///   - faces: Faces in drawing order; parts outside the image are clipped.
    ///   - size: Width and height of the image in pixels.
    ///   - background: The luma outside faces.
    /// - Returns: `size.area` bytes.
    package static func luma(_ faces: [DrawnFace], size: PixelSize, background: UInt8 = 128) -> [UInt8] {
        render(faces, size: size, background: background) { bytes, colour in
            bytes.append(UInt8((0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue).rounded()))
        }
    }

    /// Draws faces over a plain grey background as 8-bit RGB, three bytes a pixel, row after row without padding.
    ///
    /// - Parameters:
    ///   - faces: Faces in drawing order; parts outside the image are clipped.
    ///   - size: Width and height of the image in pixels.
    ///   - background: The value of all three channels outside faces.
    /// - Returns: `size.area * 3` bytes.
    package static func rgb(_ faces: [DrawnFace], size: PixelSize, background: UInt8 = 128) -> [UInt8] {
        render(faces, size: size, background: background) { bytes, colour in
            bytes.append(UInt8(colour.red.rounded()))
            bytes.append(UInt8(colour.green.rounded()))
            bytes.append(UInt8(colour.blue.rounded()))
        }
    }

    private static func render(
        _ faces: [DrawnFace],
        size: PixelSize,
        background: UInt8,
        store: (inout [UInt8], Colour) -> Void
    ) -> [UInt8] {
        let grey = Double(background)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.area * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                var colour = Colour(grey, grey, grey)
                for face in faces { face.blend(layers, into: &colour, x: x, y: y) }
                store(&bytes, colour)
            }
        }
        return bytes
    }

    /// Draws this face into one pixel of an image.
    package func blend(_ layers: [Layer], into colour: inout Colour, x: Int, y: Int) {
        let side = Double(box.width)
        // Sample at the centre of the pixel.
        let u = (Double(x - box.x) + 0.5) / side
        let v = (Double(y - box.y) + 0.5) / side
        guard abs(u - 0.5) < 1.2, v > -0.6, v < 2.4 else { return }
        for layer in layers { colour.blend(layer.colour, layer.coverage(u, v)) }
    }

    /// Red, green and blue, 0 to 255 each.
    package struct Colour: Hashable, Sendable {
        package var red, green, blue: Double

        /// Red, green and blue, 0 to 255 each; not clamped.
        package init(_ red: Double, _ green: Double, _ blue: Double) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Blends this colour with another colour; 0 keeps this colour, 1 replaces it.
        package mutating func blend(_ other: Colour, _ amount: Double) {
            red += (other.red - red) * amount
            green += (other.green - green) * amount
            blue += (other.blue - blue) * amount
        }
    }

    /// An ellipse with a soft rim, in units of the face's side.
    package struct Layer: Sendable {
        var x, y, radiusX, radiusY: Double
        /// The width of the rim in which the ellipse fades, as a fraction of the radius.
        var softness: Double
        var colour: Colour
        var opacity = 1.0

        func coverage(_ u: Double, _ v: Double) -> Double {
            let dx = (u - x) / radiusX
            let dy = (v - y) / radiusY
            let inside = (1 + softness / 2 - (dx * dx + dy * dy).squareRoot()) / softness
            let ramp = min(1, max(0, inside))
            return opacity * ramp * ramp * (3 - 2 * ramp)
        }

        var mirrored: Layer {
            var other = self
            other.x = 1 - x
            return other
        }
    }

    private static let layers = layers(
        skin: Colour(226, 187, 160),
        hair: Colour(60, 40, 30),
        shirt: Colour(70, 95, 115)
    )

    /// The layers of a face from back to front, in the given colours.
    ///
    /// A friendly face smiles and has lighter eye sockets, which lowers the detector's score.
    package static func layers(skin: Colour, hair: Colour, shirt: Colour, isFriendly: Bool = false) -> [Layer] {
        let shade = Colour(skin.red * 0.53, skin.green * 0.44, skin.blue * 0.41)
        let neck = Colour(skin.red * 0.80, skin.green * 0.75, skin.blue * 0.74)
        var light = skin
        light.blend(Colour(255, 255, 255), 0.5)
        let dark = Colour(48, 28, 24)
        let lips = Colour(165, 85, 85)

        let socket = Layer(
            x: 0.29,
            y: 0.27,
            radiusX: 0.20,
            radiusY: 0.13,
            softness: 0.9,
            colour: shade,
            opacity: isFriendly ? 0.5 : 0.8
        )
        let brow = Layer(x: 0.28, y: 0.16, radiusX: 0.16, radiusY: 0.035, softness: 0.6, colour: hair, opacity: 0.9)
        let eye = Layer(x: 0.30, y: 0.28, radiusX: 0.09, radiusY: 0.035, softness: 0.4, colour: light, opacity: 0.8)
        let iris = Layer(x: 0.30, y: 0.28, radiusX: 0.045, radiusY: 0.042, softness: 0.4, colour: dark)
        let nostril = Layer(x: 0.44, y: 0.59, radiusX: 0.035, radiusY: 0.02, softness: 0.6, colour: dark, opacity: 0.9)

        let mouth = [
            Layer(x: 0.5, y: 0.77, radiusX: 0.20, radiusY: 0.06, softness: 0.5, colour: lips, opacity: 0.9),
            Layer(x: 0.5, y: 0.765, radiusX: 0.19, radiusY: 0.018, softness: 0.6, colour: dark, opacity: 0.9),
        ]
        // The layer of skin covers everything except the lower rim, so that a crescent remains.
        let smile = [
            Layer(x: 0.5, y: 0.74, radiusX: 0.21, radiusY: 0.11, softness: 0.2, colour: lips),
            Layer(x: 0.5, y: 0.705, radiusX: 0.23, radiusY: 0.095, softness: 0.3, colour: skin),
        ]

        return [
            Layer(x: 0.5, y: 1.75, radiusX: 1.05, radiusY: 0.55, softness: 0.1, colour: shirt),
            Layer(x: 0.5, y: 1.05, radiusX: 0.27, radiusY: 0.45, softness: 0.1, colour: neck),
            Layer(x: 0.5, y: 0.25, radiusX: 0.60, radiusY: 0.72, softness: 0.12, colour: hair),
            Layer(x: 0.5, y: 0.47, radiusX: 0.47, radiusY: 0.60, softness: 0.16, colour: skin),
            socket, socket.mirrored,
            brow, brow.mirrored,
            eye, eye.mirrored,
            iris, iris.mirrored,
            Layer(x: 0.5, y: 0.42, radiusX: 0.045, radiusY: 0.20, softness: 0.9, colour: light, opacity: 0.8),  // ridge
            Layer(x: 0.5, y: 0.585, radiusX: 0.14, radiusY: 0.05, softness: 0.8, colour: shade, opacity: 0.8),
            Layer(x: 0.5, y: 0.545, radiusX: 0.07, radiusY: 0.05, softness: 0.8, colour: light, opacity: 0.8),  // tip
            nostril, nostril.mirrored,
            Layer(x: 0.5, y: 0.88, radiusX: 0.12, radiusY: 0.03, softness: 0.9, colour: shade, opacity: 0.3),  // chin
        ] + (isFriendly ? smile : mouth)
    }
}
