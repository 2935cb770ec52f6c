import Framing
import Geometry
import TestPacing
import Testing

/// Layouts in which an editor would reject a bad crop because a better crop exists.
///
/// Each layout has the people of a drawn image.
@Suite(.limitedConcurrency) struct EditorsEyeTests {
    struct Case: CustomStringConvertible, Sendable {
        var name: String
        var size = PixelSize(width: 1600, height: 900)
        var aspect = "1:1"
        var people: [Subject]
        /// The people whose whole heads the crop must keep, by index.
        var kept: Set<Int>
        /// The people whose faces the crop may halve.
        var mayHalve: Set<Int> = []

        var description: String { name }
    }

    /// Rows and columns of equal faces.
    private static func crowd(_ columns: Int, _ rows: Int, x: Int, y: Int, side: Int) -> [Subject] {
        (0..<columns * rows).map { index in
            doubtful(face(x + index % columns * side * 2, y + index / columns * side * 2, side, side), 900)
        }
    }

    private static func doubtful(_ subject: Subject, _ reliability: Int) -> Subject {
        var copy = subject
        copy.reliability = reliability
        return copy
    }

    private static func blurred(_ subject: Subject, _ sharpness: Int) -> Subject {
        var copy = subject
        copy.sharpness = sharpness
        return copy
    }

    static let cases = [
        Case(
            name: "a face next to the kept face is left out, not halved",
            size: PixelSize(width: 1000, height: 400),
            people: [face(300, 100, 100, 100), doubtful(face(500, 100, 190, 100), 500)],
            kept: [0]
        ),
        Case(
            name: "the same on the other side",
            size: PixelSize(width: 1000, height: 400),
            people: [face(600, 100, 100, 100), doubtful(face(310, 100, 190, 100), 500)],
            kept: [0]
        ),
        Case(
            name: "a row below is left out, not halved",
            size: PixelSize(width: 900, height: 1200),
            aspect: "3:1",
            people: [face(150, 300, 100, 100), face(450, 300, 100, 100), face(300, 430, 90, 90)],
            kept: [0, 1]
        ),
        Case(
            name: "of six in a row, three are kept and none is halved",
            people: (0..<6).map { face(122 + 255 * $0, 300, 170, 200) },
            kept: [0, 1, 2]
        ),
        Case(
            name: "a whole head is worth more than a clean edge",
            size: PixelSize(width: 1000, height: 400),
            people: [face(300, 100, 100, 100), face(520, 100, 100, 100), doubtful(face(640, 100, 90, 100), 900)],
            kept: [0, 1],
            mayHalve: [2]
        ),
        Case(
            name: "a rider before a grandstand",
            aspect: "9:16",
            people: [face(300, 250, 110, 140)]
                + crowd(5, 5, x: 880, y: 60, side: 70) + crowd(2, 5, x: 60, y: 60, side: 70),
            kept: [0],
            mayHalve: Set(1...40)
        ),
        Case(
            name: "three large people against eleven at the back",
            size: PixelSize(width: 1500, height: 2000),
            aspect: "3:1",
            people: (0..<3).map { face(250 + 400 * $0, 1500, 200, 200) } + crowd(11, 1, x: 150, y: 300, side: 50),
            kept: [0, 1, 2]
        ),
        Case(
            name: "one person in front against two in the background",
            aspect: "9:16",
            people: [face(200, 300, 200, 240), face(1100, 200, 60, 75), face(1300, 220, 60, 75)],
            kept: [0]
        ),
        Case(
            name: "two people compared with one person who is a little nearer",
            aspect: "9:16",
            people: [face(200, 300, 170, 200), face(1100, 300, 150, 180), face(1300, 320, 150, 180)],
            kept: [1, 2]
        ),
        Case(
            name: "a whole face against a larger one that the edge of the image cuts",
            aspect: "9:16",
            people: [face(0, 300, 160, 260), face(900, 280, 150, 190)],
            kept: [1]
        ),
        Case(
            name: "a sharp face against a larger one that is blurred",
            aspect: "9:16",
            people: [blurred(face(200, 300, 260, 300), 550), blurred(face(1100, 280, 150, 180), 1000)],
            kept: [1]
        ),
        Case(
            name: "a sharp face against two that are blurred behind it",
            aspect: "9:16",
            people: [
                blurred(face(200, 300, 150, 180), 960), blurred(face(1000, 280, 130, 160), 500),
                blurred(face(1250, 300, 130, 160), 520),
            ],
            kept: [0]
        ),
        Case(
            name: "two faces that are hardly less sharp against one",
            aspect: "9:16",
            people: [
                blurred(face(200, 300, 150, 180), 1000), blurred(face(1000, 280, 140, 170), 760),
                blurred(face(1250, 300, 140, 170), 780),
            ],
            kept: [1, 2]
        ),
        Case(
            name: "a sharp face is not cut to show a blurred one whole",
            size: PixelSize(width: 1000, height: 400),
            people: [blurred(face(300, 100, 100, 100), 900), blurred(face(520, 80, 160, 190), 450)],
            kept: [0],
            mayHalve: [1]
        ),
    ]

    @Test(arguments: cases)
    func `an editor accepts the crop unchanged`(example: Case) throws {
        let crop = try frame(example.people, example.aspect, in: example.size).crop
        for (index, person) in example.people.enumerated() {
            if example.kept.contains(index) { #expect(crop.contains(person.head), "head \(index), \(crop)") }
            let shown = Double(crop.intersection(person.face).area) / Double(person.face.area)
            let isHalved = shown > 0.13 && shown < 0.87
            if !example.mayHalve.contains(index) { #expect(!isHalved, "face \(index), \(crop)") }
        }
    }

    @Test func `a completely blurred image is framed like a sharp image`() throws {
        let size = PixelSize(width: 1600, height: 900)
        let people = [face(200, 300, 160, 200), face(1000, 280, 150, 170), face(1250, 300, 150, 170)]
        for aspect in ["9:16", "1:1", "4:5", "3:1"] {
            let crops = try [nil, 1000, 300, 0].map { sharpness in
                let measured = people.map { person in
                    var copy = person
                    copy.sharpness = sharpness
                    return copy
                }
                return try frame(measured, aspect, in: size).crop
            }
            #expect(Set(crops).count == 1, "\(aspect): \(crops)")
        }
    }

    @Test func `if no head fits, the crop shows the largest sharp face`() throws {
        let size = PixelSize(width: 600, height: 1600)
        let people = [face(100, 200, 380, 450), face(150, 1000, 300, 360)]
        let crop = try frame([Self.blurred(people[0], 500), Self.blurred(people[1], 1000)], "3:1", in: size).crop
        #expect(people[1].face.rows.contains(crop.y) && people[1].face.rows.contains(crop.maxY), "\(crop)")
        #expect(try frame(people, "3:1", in: size).crop.maxY < 650)
    }

    @Test func `a sliver of another face does not move the crop`() throws {
        // The crop around the first face ends at 550.
        for (x, isCentred) in [(560, true), (545, true), (542, true), (520, false)] {
            let people = [face(300, 100, 100, 100), Self.doubtful(face(x, 100, 190, 100), 500)]
            let crop = try frame(people, "1:1", in: PixelSize(width: 1000, height: 400)).crop
            #expect((crop.x == 150) == isCentred, "\(x): \(crop)")
        }
    }
}
