import Imaging

/// Draws the shapes of a figure that stands on the ground.
///
/// Coordinates are multiples of a unit: x is the distance to the right of the middle of the figure, y is the height above
/// the ground.
struct FigurePen {
    typealias Colour = DrawnFace.Colour

    /// The middle of the figure and its ground, in pixels of the image.
    let x, foot: Double
    /// The unit in pixels.
    let unit: Double

    /// Draws a limb with round ends; the radius changes from one end to the other.
    func limb(
        _ scene: inout DrawnScene,
        _ start: (x: Double, y: Double),
        _ startRadius: Double,
        _ end: (x: Double, y: Double),
        _ endRadius: Double,
        _ colour: Colour
    ) {
        scene.limb(
            from: (x + start.x * unit, foot - start.y * unit),
            radius: startRadius * unit,
            to: (x + end.x * unit, foot - end.y * unit),
            radius: endRadius * unit,
            colour
        )
    }

    /// Draws an ellipse; `softness` is the width of its soft edge as a fraction of the radius.
    func ellipse(
        _ scene: inout DrawnScene,
        _ middle: (x: Double, y: Double),
        _ radiusX: Double,
        _ radiusY: Double,
        softness: Double = 0,
        _ colour: Colour
    ) {
        scene.ellipse(
            x: x + middle.x * unit,
            y: foot - middle.y * unit,
            radiusX: radiusX * unit,
            radiusY: radiusY * unit,
            softness: softness,
            colour
        )
    }

    /// Draws the shadow of the figure on grass.
    func shadow(_ scene: inout DrawnScene, x: Double, radiusY: Double) {
        ellipse(&scene, (x, 0), 1.5, radiusY, softness: 0.6, Colour(46, 84, 40))
    }

    /// A colour blended with black.
    static func darker(_ colour: Colour, by amount: Double) -> Colour {
        var result = colour
        result.blend(Colour(0, 0, 0), amount)
        return result
    }

    /// A colour blended with white.
    static func lighter(_ colour: Colour, by amount: Double) -> Colour {
        var result = colour
        result.blend(Colour(255, 255, 255), amount)
        return result
    }
}
