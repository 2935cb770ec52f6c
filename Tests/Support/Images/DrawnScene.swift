package import Geometry
package import Imaging

/// An image composed of plain shapes, from back to front: sky, hills, trees, people.
///
/// Coordinates are pixels of the image, with the origin at the top left and y downwards. Edges are antialiased over one
/// pixel. The code does not use libm, so every machine draws the same bytes.
package struct DrawnScene: Sendable {
    package typealias Colour = DrawnFace.Colour

    /// Width and height in pixels.
    package let size: PixelSize
    private var pixels: [Colour]

    /// A vertical gradient from one colour at the top to another at the bottom.
    package init(_ size: PixelSize, top: Colour, bottom: Colour) {
        self.size = size
        pixels = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            var colour = top
            colour.blend(bottom, (Double(y) + 0.5) / Double(size.height))
            pixels.append(contentsOf: repeatElement(colour, count: size.width))
        }
    }

    /// Draws an ellipse; `softness` is the width of its soft edge as a fraction of the radius.
    package mutating func ellipse(
        x: Double,
        y: Double,
        radiusX: Double,
        radiusY: Double,
        softness: Double = 0,
        _ colour: Colour
    ) {
        let rim = max(softness, 1 / min(radiusX, radiusY))
        let reach = 1 + rim
        let columns = columns(from: x - radiusX * reach, to: x + radiusX * reach)
        fill(columns, rows(from: y - radiusY * reach, to: y + radiusY * reach), colour) { px, py in
            let dx = (px - x) / radiusX
            let dy = (py - y) / radiusY
            return (1 - (dx * dx + dy * dy).squareRoot()) / rim + 0.5
        }
    }

    /// Draws a straight limb with round ends; the radius changes from one end to the other.
    package mutating func limb(
        from start: (x: Double, y: Double),
        radius startRadius: Double,
        to end: (x: Double, y: Double),
        radius endRadius: Double,
        _ colour: Colour
    ) {
        let along = (x: end.x - start.x, y: end.y - start.y)
        let lengthSquared = along.x * along.x + along.y * along.y
        let reach = max(startRadius, endRadius) + 1
        let columns = columns(from: min(start.x, end.x) - reach, to: max(start.x, end.x) + reach)
        fill(columns, rows(from: min(start.y, end.y) - reach, to: max(start.y, end.y) + reach), colour) { px, py in
            let way = ((px - start.x) * along.x + (py - start.y) * along.y) / lengthSquared
            let nearest = min(1, max(0, way))
            let dx = px - start.x - along.x * nearest
            let dy = py - start.y - along.y * nearest
            let radius = startRadius + (endRadius - startRadius) * nearest
            return radius - (dx * dx + dy * dy).squareRoot() + 0.5
        }
    }

    /// Draws everything below a line of hills.
    ///
    /// - Parameters:
    ///   - crest: The row of the highest hill.
    ///   - valley: The row of the lowest point between hills.
    ///   - length: The distance between hills, in pixels.
    ///   - phase: The shift of the hills to the left, as a fraction of `length`.
    ///   - colour: The colour at the crest; it darkens by a third towards the bottom of the image.
    package mutating func hills(crest: Double, valley: Double, length: Double, phase: Double, _ colour: Colour) {
        let height = Double(size.height)
        for y in rows(from: crest - 1, to: height) {
            var shaded = colour
            shaded.blend(Colour(0, 0, 0), 0.33 * max(0, Double(y) - crest) / (height - crest))
            for x in 0..<size.width {
                let place = (Double(x) + 0.5) / length + phase
                let share = place - place.rounded(.down)
                let hill = share < 0.5 ? 1 + 16 * share * (0.5 - share) : 1 - 16 * (share - 0.5) * (1 - share)
                let line = valley - (valley - crest) * hill / 2
                pixels[y * size.width + x].blend(shaded, min(1, max(0, Double(y) + 1 - line)))
            }
        }
    }

    /// Draws a friendly face with head and shoulders.
    package mutating func face(_ face: DrawnFace, skin: Colour, hair: Colour, shirt: Colour) {
        let layers = DrawnFace.layers(skin: skin, hair: hair, shirt: shirt, isFriendly: true)
        let side = Double(face.box.width)
        let columns = columns(from: Double(face.box.x) - 2 * side, to: Double(face.box.maxX) + 2 * side)
        for y in rows(from: Double(face.box.y) - side, to: Double(face.box.maxY) + 2 * side) {
            for x in columns { face.blend(layers, into: &pixels[y * size.width + x], x: x, y: y) }
        }
    }

    /// Draws an RGB image with its top left corner at (`x`, `y`); it must fit into the scene.
    package mutating func image(_ image: PlanarImage, x: Int, y: Int) {
        precondition(image.colorModel == .rgb, "an image in red, green and blue")
        precondition(x >= 0 && y >= 0 && x + image.size.width <= size.width && y + image.size.height <= size.height)
        for row in 0..<image.size.height {
            for column in 0..<image.size.width {
                let sample = image.planes.map { Double($0[x: column, y: row]) }
                pixels[(y + row) * size.width + x + column] = Colour(sample[0], sample[1], sample[2])
            }
        }
    }

    /// The image, for the encoders.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func image() throws(CodecError) -> PlanarImage {
        let planes = [
            try Plane(size) { UInt8(pixels[$1 * size.width + $0].red.rounded()) },
            try Plane(size) { UInt8(pixels[$1 * size.width + $0].green.rounded()) },
            try Plane(size) { UInt8(pixels[$1 * size.width + $0].blue.rounded()) },
        ]
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }

    private mutating func fill(
        _ columns: Range<Int>,
        _ rows: Range<Int>,
        _ colour: Colour,
        coverage: (_ x: Double, _ y: Double) -> Double
    ) {
        for y in rows {
            for x in columns {
                let amount = min(1, coverage(Double(x) + 0.5, Double(y) + 0.5))
                if amount > 0 { pixels[y * size.width + x].blend(colour, amount) }
            }
        }
    }

    private func columns(from left: Double, to right: Double) -> Range<Int> {
        Self.clamped(left, right, size.width)
    }

    private func rows(from top: Double, to bottom: Double) -> Range<Int> {
        Self.clamped(top, bottom, size.height)
    }

    private static func clamped(_ from: Double, _ to: Double, _ limit: Int) -> Range<Int> {
        let lower = min(limit, max(0, Int(from.rounded(.down))))
        return lower..<max(lower, min(limit, Int(to.rounded(.up))))
    }
}
