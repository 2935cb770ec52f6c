package import Imaging

/// A person with a backpack drawn in code, standing and seen from behind: the subject network finds a person, and the
/// detector finds no face.
package struct DrawnHiker: Sendable {
    package typealias Colour = DrawnFace.Colour

    /// The middle of the person and the ground, in pixels of the image.
    package var x, foot: Double
    /// The height of the head in pixels; the person is about 7 times as high.
    package var head: Double
    package var skin = Colour(214, 168, 138)
    package var hair = Colour(66, 42, 28)
    package var shirt = Colour(196, 72, 62)
    package var trousers = Colour(58, 76, 120)
    package var shoes = Colour(60, 46, 40)
    package var backpack = Colour(52, 92, 88)

    /// A person whose shoes are at (`x`, `foot`).
    package init(x: Double, foot: Double, head: Double) {
        (self.x, self.foot, self.head) = (x, foot, head)
    }

    /// Draws the person and a shadow on the grass.
    package func draw(in scene: inout DrawnScene) {
        let pen = FigurePen(x: x, foot: foot, unit: head)
        pen.shadow(&scene, x: 0.25, radiusY: 0.16)
        drawLegs(&scene, pen)
        for side in [-1.0, 0, 1] { pen.limb(&scene, (side * 0.48, 5.45), 0.4, (side * 0.38, 3.8), 0.36, shirt) }
        pen.limb(&scene, (-0.5, 3.65), 0.17, (0.5, 3.65), 0.17, FigurePen.darker(shirt, by: 0.1))
        for side in [-1.0, 1] {
            pen.limb(&scene, (side * 1.02, 4.35), 0.18, (side * 1.0, 3.25), 0.13, skin)
            pen.ellipse(&scene, (side * 0.99, 3.1), 0.15, 0.2, skin)
            let sleeve = FigurePen.darker(shirt, by: 0.14)
            pen.limb(&scene, (side * 0.8, 5.45), 0.27, (side * 1.02, 4.4), 0.21, sleeve)
        }
        pen.limb(&scene, (0, 5.7), 0.24, (0, 6.1), 0.22, FigurePen.darker(skin, by: 0.12))
        drawBackpack(&scene, pen)
        for side in [-1.0, 1] { pen.ellipse(&scene, (side * 0.5, 6.42), 0.1, 0.17, skin) }
        pen.ellipse(&scene, (0, 6.55), 0.5, 0.62, hair)
        pen.limb(&scene, (-0.16, 6.14), 0.16, (0.16, 6.14), 0.16, hair)
        pen.ellipse(&scene, (-0.12, 6.8), 0.2, 0.2, softness: 0.8, FigurePen.lighter(hair, by: 0.12))
    }

    private func drawLegs(_ scene: inout DrawnScene, _ pen: FigurePen) {
        for side in [-1.0, 1] {
            pen.limb(&scene, (side * 0.4, 0.1), 0.17, (side * 0.52, 0.06), 0.13, shoes)
            pen.limb(&scene, (side * 0.34, 3.3), 0.4, (side * 0.4, 1.75), 0.29, trousers)
            pen.limb(&scene, (side * 0.4, 1.75), 0.29, (side * 0.4, 0.35), 0.2, trousers)
            let fold = FigurePen.darker(trousers, by: 0.22)
            pen.limb(&scene, (side * 0.12, 3), 0.1, (side * 0.17, 1.8), 0.07, fold)
        }
        pen.limb(&scene, (-0.28, 3.45), 0.42, (0.28, 3.45), 0.42, trousers)
    }

    private func drawBackpack(_ scene: inout DrawnScene, _ pen: FigurePen) {
        for x in [-0.3, 0, 0.3] { pen.limb(&scene, (x, 5.2), 0.34, (x, 4.15), 0.38, backpack) }
        pen.limb(&scene, (-0.28, 5.15), 0.3, (0.28, 5.15), 0.3, FigurePen.lighter(backpack, by: 0.1))
        pen.limb(&scene, (-0.25, 4.2), 0.22, (0.25, 4.2), 0.22, FigurePen.darker(backpack, by: 0.2))
        for side in [-1.0, 1] {
            let strap = FigurePen.darker(backpack, by: 0.3)
            pen.limb(&scene, (side * 0.5, 5.75), 0.07, (side * 0.52, 5), 0.07, strap)
        }
    }
}
