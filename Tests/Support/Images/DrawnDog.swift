package import Imaging

/// A dog drawn in code, standing and seen from its right side; the subject network finds a dog.
///
/// The network recognises it best if its height is about a fifth of the height of the image.
package struct DrawnDog: Sendable {
    package typealias Colour = DrawnFace.Colour

    /// The middle of the dog and the ground, in pixels of the image.
    package var x, foot: Double
    /// The height of the belly above the ground in pixels, about 0.4 times the height of the dog.
    package var legs: Double
    package var coat = Colour(158, 116, 60)
    package var saddle = Colour(62, 48, 40)
    package var white = Colour(244, 238, 226)
    package var collar = Colour(196, 52, 48)

    private static let nose = Colour(34, 28, 28)

    /// A dog whose paws are around (`x`, `foot`).
    package init(x: Double, foot: Double, legs: Double) {
        (self.x, self.foot, self.legs) = (x, foot, legs)
    }

    /// Draws the dog and its shadow on the grass.
    package func draw(in scene: inout DrawnScene) {
        let pen = FigurePen(x: x, foot: foot, unit: legs)
        pen.shadow(&scene, x: 0, radiusY: 0.12)
        drawFarLegs(&scene, pen)
        pen.limb(&scene, (-0.83, 1.67), 0.13, (-0.9, 1.79), 0.11, coat)
        pen.limb(&scene, (-0.9, 1.79), 0.11, (-1.41, 2.34), 0.11, white)
        pen.limb(&scene, (-0.63, 1.52), 0.38, (0.53, 1.36), 0.44, coat)
        pen.limb(&scene, (-0.58, 1.7), 0.21, (0.43, 1.59), 0.21, saddle)
        pen.limb(&scene, (-0.23, 1.22), 0.08, (0.58, 1.08), 0.16, white)
        drawNearLegs(&scene, pen)
        pen.limb(&scene, (0.68, 1.51), 0.38, (1, 2.11), 0.22, coat)
        pen.limb(&scene, (0.98, 1.36), 0.12, (1.22, 1.81), 0.1, white)
        drawHead(&scene, pen)
        pen.limb(&scene, (0.83, 1.86), 0.07, (1.22, 1.83), 0.07, collar)
    }

    private func drawFarLegs(_ scene: inout DrawnScene, _ pen: FigurePen) {
        let (coat, white) = (FigurePen.darker(coat, by: 0.3), FigurePen.darker(white, by: 0.3))
        pen.limb(&scene, (0.61, 1.2), 0.21, (0.69, 0.6), 0.13, coat)
        pen.limb(&scene, (0.69, 0.6), 0.13, (0.65, 0.12), 0.11, white)
        pen.ellipse(&scene, (0.72, 0.07), 0.16, 0.075, white)
        pen.limb(&scene, (-0.32, 1.2), 0.26, (-0.22, 0.66), 0.11, coat)
        pen.limb(&scene, (-0.22, 0.66), 0.11, (-0.4, 0.4), 0.11, coat)
        pen.limb(&scene, (-0.4, 0.4), 0.11, (-0.32, 0.12), 0.1, white)
        pen.ellipse(&scene, (-0.25, 0.07), 0.16, 0.075, white)
    }

    private func drawNearLegs(_ scene: inout DrawnScene, _ pen: FigurePen) {
        pen.limb(&scene, (0.75, 1.3), 0.25, (0.79, 0.6), 0.15, coat)
        pen.limb(&scene, (0.79, 0.6), 0.15, (0.77, 0.12), 0.13, white)
        pen.ellipse(&scene, (0.85, 0.08), 0.18, 0.085, white)
        pen.limb(&scene, (-0.52, 1.3), 0.34, (-0.36, 0.68), 0.13, coat)
        pen.limb(&scene, (-0.36, 0.68), 0.13, (-0.58, 0.42), 0.13, coat)
        pen.limb(&scene, (-0.58, 0.42), 0.13, (-0.5, 0.12), 0.12, white)
        pen.ellipse(&scene, (-0.42, 0.08), 0.18, 0.085, white)
    }

    private func drawHead(_ scene: inout DrawnScene, _ pen: FigurePen) {
        pen.ellipse(&scene, (1.16, 2.36), 0.36, 0.25, coat)
        pen.limb(&scene, (1.3, 2.28), 0.2, (1.96, 2.09), 0.11, white)
        pen.ellipse(&scene, (2.06, 2.14), 0.09, 0.08, Self.nose)
        pen.limb(&scene, (1.46, 1.99), 0.025, (1.98, 2), 0.02, FigurePen.darker(coat, by: 0.6))
        pen.ellipse(&scene, (1.29, 2.42), 0.07, 0.075, Self.nose)
        pen.limb(&scene, (0.98, 2.45), 0.18, (0.98, 1.95), 0.13, FigurePen.darker(coat, by: 0.4))
    }
}
