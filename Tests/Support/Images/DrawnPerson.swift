import Geometry
package import Imaging

/// A person drawn in code, standing and facing the camera; the detector finds the face.
package struct DrawnPerson: Sendable {
    package typealias Colour = DrawnFace.Colour

    /// The square of the face from brow to chin, in pixels of the image.
    package var face: DrawnFace
    package var skin = Colour(226, 187, 160)
    package var hair = Colour(60, 40, 30)
    package var shirt = Colour(70, 95, 115)
    package var trousers = Colour(52, 58, 78)
    /// Whether the hair reaches the shoulders.
    package var hasLongHair = false

    /// A person whose face is a square of `side` pixels at (`x`, `y`).
    package init(x: Int, y: Int, side: Int) {
        face = DrawnFace(x: x, y: y, side: side)
    }

    /// Draws the person, whose height is about seven times the side of the face.
    package func draw(in scene: inout DrawnScene) {
        for side in [-1.0, 1.0] {
            limb(&scene, (side * 0.36, 3.3), 0.36, (side * 0.40, 6.2), 0.24, trousers)
        }
        for x in [-1.0, 0, 1] { limb(&scene, (x * 0.44, 1.9), 0.4, (x * 0.4, 3.3), 0.34, shirt) }
        limb(&scene, (-0.56, 3.5), 0.18, (0.56, 3.5), 0.18, shirt)
        if hasLongHair {
            for side in [-1.0, 1.0] { limb(&scene, (side * 0.44, 0.4), 0.2, (side * 0.48, 1.25), 0.14, hair) }
        }
        scene.face(face, skin: skin, hair: hair, shirt: shirt)
        for side in [-1.0, 1.0] {
            limb(&scene, (side * 1.06, 2.7), 0.17, (side * 0.94, 3.7), 0.13, skin)
            limb(&scene, (side * 0.84, 1.66), 0.26, (side * 1.06, 2.65), 0.22, Self.darker(shirt))
            if hasLongHair { limb(&scene, (side * 0.55, 0.45), 0.1, (side * 0.56, 1.3), 0.13, hair) }
        }
    }

    /// Draws a limb between two points.
    ///
    /// Their unit is the side of the face, and their origin is the middle of its upper edge.
    private func limb(
        _ scene: inout DrawnScene,
        _ start: (x: Double, y: Double),
        _ startRadius: Double,
        _ end: (x: Double, y: Double),
        _ endRadius: Double,
        _ colour: Colour
    ) {
        let side = Double(face.box.width)
        let middle = Double(face.box.x) + side / 2
        let top = Double(face.box.y)
        scene.limb(
            from: (middle + start.x * side, top + start.y * side),
            radius: startRadius * side,
            to: (middle + end.x * side, top + end.y * side),
            radius: endRadius * side,
            colour
        )
    }

    private static func darker(_ colour: Colour) -> Colour {
        var result = colour
        result.blend(Colour(0, 0, 0), 0.12)
        return result
    }
}
