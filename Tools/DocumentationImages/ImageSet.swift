import Framing
import Geometry
import Imaging
import TestImages

/// The images in `docs/images`, with several sizes, aspect ratios and formats, and with many people, one person or no
/// person.
enum ImageSet {
    typealias Colour = DrawnFace.Colour

    /// An image and its file.
    struct Image {
        var name: String
        var scene: DrawnScene
        /// The number of faces in the image.
        var faces: Int
        /// The subjects that determine the crop if no face is found.
        var subjects: Set<SubjectClass> = []
        var format: OutputFormat
    }

    /// Three friends on the left of a wide landscape.
    static func scene() -> DrawnScene {
        draw(
            [(90, 352, 104, 0), (318, 318, 112, 1), (556, 372, 98, 2)],
            in: Landscape.summer(PixelSize(width: 1600, height: 900))
        )
    }

    /// A person seen from behind and a dog, at the right of a wide landscape.
    static func fromBehind() -> DrawnScene {
        var scene = Landscape.meadow(PixelSize(width: 1600, height: 900))
        DrawnHiker(x: 1270, foot: 830, head: 95).draw(in: &scene)
        DrawnDog(x: 1031, foot: 842, legs: 60).draw(in: &scene)
        return scene
    }

    /// One person in front of a green screen.
    static func greenScreen() -> DrawnScene {
        let (light, dark) = (Colour(20, 186, 70), Colour(8, 164, 58))
        return draw(
            [(300, 200, 200, 0)],
            in: DrawnScene(PixelSize(width: 800, height: 800), top: light, bottom: dark)
        )
    }

    /// All images.
    static func all() -> [Image] {
        let portrait = draw([(290, 380, 220, 1)], in: Landscape.summer(PixelSize(width: 800, height: 1200)))
        let edges = draw(
            [(66, 210, 96, 3), (800, 200, 100, 0)],
            in: Landscape.room(PixelSize(width: 960, height: 640))
        )
        let row = draw(
            [(130, 260, 88, 4), (390, 290, 84, 1), (640, 250, 90, 2), (900, 285, 84, 3), (1150, 255, 90, 0)],
            in: Landscape.evening(PixelSize(width: 1400, height: 700))
        )
        let small = draw([(180, 70, 64, 2)], in: Landscape.evening(PixelSize(width: 320, height: 240)))
        return [
            Image(name: "scene.jpg", scene: scene(), faces: 3, format: .jpeg),
            Image(name: "portrait.jpg", scene: portrait, faces: 1, format: .jpeg),
            Image(name: "edges.png", scene: edges, faces: 2, format: .png),
            Image(name: "row.jpg", scene: row, faces: 5, format: .jpeg),
            Image(name: "small.png", scene: small, faces: 1, format: .png),
            Image(
                name: "nobody.jpg",
                scene: Landscape.summer(PixelSize(width: 1200, height: 800)),
                faces: 0,
                format: .jpeg
            ),
            Image(
                name: "from-behind.jpg",
                scene: fromBehind(),
                faces: 0,
                subjects: [.person, .dog],
                format: .jpeg
            ),
        ]
    }

    private static func draw(_ people: [(x: Int, y: Int, side: Int, style: Int)], in scene: DrawnScene) -> DrawnScene {
        var scene = scene
        for place in people {
            var person = DrawnPerson(x: place.x, y: place.y, side: place.side)
            dress(&person, style: place.style)
            person.draw(in: &scene)
        }
        return scene
    }

    private static func dress(_ person: inout DrawnPerson, style: Int) {
        switch style {
        case 0:
            person.shirt = Colour(214, 92, 74)
            person.hair = Colour(74, 48, 32)
        case 1:
            person.shirt = Colour(242, 196, 84)
            person.hair = Colour(52, 34, 28)
            person.hasLongHair = true
            person.trousers = Colour(70, 104, 150)
        case 2:
            person.shirt = Colour(58, 140, 140)
            person.hair = Colour(36, 28, 26)
            person.skin = Colour(206, 158, 124)
            person.trousers = Colour(88, 78, 70)
        case 3:
            person.shirt = Colour(150, 98, 170)
            person.hair = Colour(112, 66, 36)
            person.hasLongHair = true
        default:
            person.shirt = Colour(236, 236, 230)
            person.hair = Colour(40, 32, 30)
            person.trousers = Colour(60, 70, 110)
        }
    }
}
