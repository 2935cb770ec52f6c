import Geometry
import Imaging
import TestImages

/// The backgrounds of the images.
enum Landscape {
    typealias Colour = DrawnFace.Colour

    /// A summer day: sun, clouds, three lines of hills, trees on the right.
    static func summer(_ size: PixelSize) -> DrawnScene {
        var scene = DrawnScene(size, top: Colour(92, 160, 222), bottom: Colour(226, 240, 246))
        let width = Double(size.width)
        let height = Double(size.height)
        let unit = Double(size.shortSide)
        scene.ellipse(
            x: width * 0.83,
            y: height * 0.17,
            radiusX: unit * 0.14,
            radiusY: unit * 0.14,
            softness: 0.9,
            Colour(255, 240, 190)
        )
        scene.ellipse(
            x: width * 0.83,
            y: height * 0.17,
            radiusX: unit * 0.07,
            radiusY: unit * 0.07,
            Colour(255, 226, 120)
        )
        for (x, y) in [(0.14, 0.13), (0.56, 0.20)] { cloud(&scene, x: width * x, y: height * y, unit: unit * 0.1) }
        hills(&scene, [Colour(122, 160, 188), Colour(118, 172, 118), Colour(92, 156, 82)])
        for (x, y) in [(0.70, 0.66), (0.79, 0.72), (0.93, 0.68)] {
            tree(&scene, x: width * x, foot: height * y, height: height * 0.22)
        }
        return scene
    }

    /// A meadow in front of hills, with two clouds at the left.
    static func meadow(_ size: PixelSize) -> DrawnScene {
        var scene = DrawnScene(size, top: Colour(104, 164, 214), bottom: Colour(246, 232, 206))
        let width = Double(size.width)
        let height = Double(size.height)
        for (x, y) in [(0.17, 0.17), (0.42, 0.10)] {
            cloud(&scene, x: width * x, y: height * y, unit: Double(size.shortSide) * 0.09)
        }
        hills(&scene, [Colour(140, 166, 186), Colour(140, 178, 112), Colour(104, 158, 84)])
        return scene
    }

    /// An evening: a low sun, violet hills.
    static func evening(_ size: PixelSize) -> DrawnScene {
        var scene = DrawnScene(size, top: Colour(96, 86, 150), bottom: Colour(255, 196, 140))
        let width = Double(size.width)
        let height = Double(size.height)
        let unit = Double(size.shortSide)
        scene.ellipse(
            x: width * 0.3,
            y: height * 0.42,
            radiusX: unit * 0.16,
            radiusY: unit * 0.16,
            Colour(255, 214, 130)
        )
        hills(&scene, [Colour(150, 110, 150), Colour(110, 82, 124), Colour(74, 62, 96)])
        return scene
    }

    /// A plain wall above a floor.
    static func room(_ size: PixelSize) -> DrawnScene {
        var scene = DrawnScene(size, top: Colour(236, 226, 208), bottom: Colour(220, 204, 180))
        let width = Double(size.width)
        let height = Double(size.height)
        scene.limb(
            from: (-width, height * 1.5),
            radius: height * 0.6,
            to: (width * 2, height * 1.5),
            radius: height * 0.6,
            Colour(168, 128, 96)
        )
        scene.ellipse(
            x: width * 0.5,
            y: height * 0.3,
            radiusX: width * 0.13,
            radiusY: width * 0.13,
            Colour(120, 150, 150)
        )
        scene.ellipse(
            x: width * 0.5,
            y: height * 0.3,
            radiusX: width * 0.115,
            radiusY: width * 0.115,
            Colour(176, 204, 208)
        )
        return scene
    }

    private static func hills(_ scene: inout DrawnScene, _ colours: [Colour]) {
        let width = Double(scene.size.width)
        let height = Double(scene.size.height)
        let lines = [(0.38, 0.54, 0.61, 0.1), (0.55, 0.64, 0.83, 0.45), (0.68, 0.73, 1.3, 0.8)]
        for (line, colour) in zip(lines, colours) {
            scene.hills(
                crest: height * line.0,
                valley: height * line.1,
                length: width * line.2,
                phase: line.3,
                colour
            )
        }
    }

    private static func cloud(_ scene: inout DrawnScene, x: Double, y: Double, unit: Double) {
        for (dx, dy, radius) in [(-1.1, 0.15, 0.5), (-0.4, -0.1, 0.7), (0.4, 0.0, 0.6), (1.1, 0.2, 0.42)] {
            scene.ellipse(
                x: x + dx * unit,
                y: y + dy * unit,
                radiusX: radius * unit * 1.3,
                radiusY: radius * unit * 0.7,
                softness: 0.25,
                Colour(250, 252, 255)
            )
        }
    }

    private static func tree(_ scene: inout DrawnScene, x: Double, foot: Double, height: Double) {
        scene.limb(
            from: (x, foot),
            radius: height * 0.05,
            to: (x, foot - height * 0.6),
            radius: height * 0.035,
            Colour(106, 80, 60)
        )
        let leaves = Colour(58, 118, 66)
        for (dx, dy, radius) in [(-0.17, 0.55, 0.2), (0.17, 0.57, 0.2), (0.0, 0.78, 0.24)] {
            scene.ellipse(
                x: x + dx * height,
                y: foot - dy * height,
                radiusX: radius * height,
                radiusY: radius * height,
                leaves
            )
        }
    }
}
