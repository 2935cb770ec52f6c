import Framing
import Geometry
import Glibc
import TestPacing
import Testing

/// Uncertain detections of any size must not outweigh better detections.
///
/// The tests compare orders of preference.
@Suite(.limitedConcurrency) struct CertaintyTests {
    private static let size = PixelSize(width: 1600, height: 900)
    /// Scores of detections that are uncertain in comparison with ``certainScores``.
    private static let uncertainScores = stride(from: 0.0, through: 0.3, by: 0.05).map { $0 }
    private static let certainScores = [0.55, 0.6, 0.65, 0.7, 1.2]

    /// One to three people with small faces on the left, all of them far enough from a box on the right.
    private static func people(_ count: Int, score: Double, side: Int = 90) -> [Subject] {
        (0..<count).map { scored(face(60 + 150 * $0, 300, side, side), score) }
    }

    /// A large box on the right, such as a dartboard or a drawing.
    private static func board(score: Double, side: Int = 250) -> Subject {
        scored(face(1150, 200, side, side), score)
    }

    @Test(arguments: [1, 2, 3], ["9:16", "1:2", "4:5"])
    func `certain people win over one uncertain box of any size`(count: Int, aspect: String) throws {
        for certain in Self.certainScores {
            for uncertain in Self.uncertainScores {
                for side in [100, 150, 250, 400] {
                    let people = Self.people(count, score: certain)
                    let all = [Self.board(score: uncertain, side: side)] + people
                    let crop = try frame(all, aspect, in: Self.size).crop
                    for person in people {
                        #expect(crop.contains(person.head), "\(certain) against \(uncertain), side \(side): \(crop)")
                    }
                }
            }
        }
    }

    @Test func `a lower score of a box gives the other people more weight`() throws {
        // If the box wins at a score, it also wins at each higher score.
        for count in 1...3 {
            for certain in Self.certainScores {
                for side in [60, 100, 250] {
                    let wins = try stride(from: 0.0, through: 1.2, by: 0.05).map { score in
                        let board = Self.board(score: score, side: side)
                        let people = Self.people(count, score: certain)
                        return try frame([board] + people, "9:16", in: Self.size).crop.contains(board.head)
                    }
                    #expect(wins == wins.sorted { !$0 && $1 }, "\(count) at \(certain), side \(side): \(wins)")
                }
            }
        }
    }

    @Test(arguments: [0.4, 0.5, 0.7, 1.2])
    func `a large certain face is not halved in favour of small ones`(score: Double) throws {
        let large = scored(face(620, 150, 360, 450), score)
        for count in 1...3 {
            for small in [0.4, 0.7, 1.2] where score >= 0.6 * min(small, 0.6) {
                let people = (0..<count).map { scored(face(1020 + 90 * $0, 300, 50, 60), small) }
                let crop = try frame([large] + people, "9:16", in: Self.size).crop
                let shown = Double(crop.intersection(large.face).area) / Double(large.face.area)
                #expect(shown > 0.87, "\(score), \(count) at \(small): \(crop)")
            }
        }
    }

    @Test func `an uncertain box that does not fit together with people does not change their weights`() throws {
        for side in [60, 150, 400] {
            for aspect in ["9:16", "4:5", "1:1"] {
                // The box must not affect which of the two small people is kept.
                let people = [
                    scored(face(60, 300, 120, 140), 0.7), scored(face(300, 300, 70, 80), 0.9),
                    scored(face(700, 300, 100, 110), 0.8),
                ]
                let alone = try frame(people, aspect, in: Self.size).crop
                let board = scored(face(1180, 200, side, side), 0.1)
                let together = try frame([board] + people, aspect, in: Self.size)
                let kept = people.map { alone.contains($0.head) }
                #expect(people.map { together.crop.contains($0.head) } == kept, "\(side), \(aspect)")
            }
        }
    }

    @Test func `a sharp uncertain box does not make other faces count as blurred`() throws {
        func with(_ sharpness: Int, _ subject: Subject) -> Subject {
            var copy = subject
            copy.sharpness = sharpness
            return copy
        }
        let people = [
            with(500, scored(face(100, 300, 150, 180), 0.7)), with(500, scored(face(1200, 300, 140, 170), 0.7)),
            with(500, scored(face(1400, 300, 140, 170), 0.7)),
        ]
        let alone = try frame(people, "9:16", in: Self.size).crop
        let text = with(1000, scored(face(750, 600, 60, 60), 0.1))
        #expect(try frame(people + [text], "9:16", in: Self.size).crop == alone)
    }

    @Test func `an uncertain box inside the image does not halve the weight of people at the edges`() throws {
        let cut = [face(0, 300, 150, 200), face(1450, 280, 150, 200)].map { person in
            var copy = scored(person, 0.7)
            copy.head = person.head.intersection(PixelRect(Self.size))
            return copy
        }
        let board = scored(face(700, 200, 250, 300), 0.2)
        let crop = try frame(cut + [board], "9:16", in: Self.size).crop
        #expect(cut.contains { crop.contains($0.head) }, "\(crop)")
    }

    @Test func `people with equal scores are equally certain for every score`() throws {
        let layout = [
            face(60, 300, 120, 140), face(300, 300, 70, 80), face(700, 300, 100, 110), face(1150, 200, 250, 250),
        ]
        for aspect in ["9:16", "4:5", "3:1"] {
            let crops = try [-0.3, 0, 0.01, 0.3, 0.6, 2.5].map { score in
                try frame(
                    layout.map { subject in
                        var copy = subject
                        copy.score = Int(score * 1000)
                        return copy
                    },
                    aspect,
                    in: Self.size
                ).crop
            }
            #expect(Set(crops + [try frame(layout, aspect, in: Self.size).crop]).count == 1, "\(aspect): \(crops)")
        }
    }

    @Test func `one additional uncertain face does not make eleven people a crowd`() throws {
        let front = scored(face(200, 200, 150, 180), 0.7)
        let row = (0..<11).map { scored(face(1000 + $0 % 4 * 110, 250 + $0 / 4 * 120, 80, 90), 0.7) }
        let alone = try frame([front] + row, "9:16", in: Self.size).crop
        let together = try frame([front] + row + [scored(face(1440, 700, 50, 50), 0.05)], "9:16", in: Self.size).crop
        #expect(row.allSatisfy { alone.contains($0.head) } == row.allSatisfy { together.contains($0.head) })
    }

    static let comparisons: [(Gravity, Int)] = [(.largest, 1), (.smallest, 2), (.centermost, 3)]

    @Test(arguments: comparisons)
    func `gravity selects the largest, smallest or centermost certain face`(
        gravity: Gravity,
        index: Int
    ) throws {
        let people = [
            scored(face(600, 100, 300, 300), 0.1), scored(face(100, 100, 200, 220), 0.7),
            scored(face(1300, 300, 60, 60), 0.6), scored(face(500, 600, 120, 120), 0.8),
            scored(face(790, 420, 40, 40), 0.2),
        ]
        var request = FramingRequest()
        request.gravity = gravity
        let frame = try Framer.frame(people, in: Self.size, aspect: AspectRatio(9, 16), request: request)
        #expect(frame.outcomes[index] == .kept && frame.outcomes.count { $0 != .ignored } == 1, "\(frame.outcomes)")
    }

    @Test func `bars are added only for certain heads`() throws {
        var request = FramingRequest()
        request.fit = .auto
        let person = scored(face(100, 200, 200, 240), 0.7)
        for (score, isCut) in [(0.1, true), (0.3, true), (0.5, false), (0.9, false)] {
            let board = scored(face(1300, 200, 200, 240), score)
            let frame = try Framer.frame([person, board], in: Self.size, aspect: AspectRatio(1, 1), request: request)
            #expect((frame.letterbox == nil) == isCut, "\(score)")
            #expect(frame.crop.contains(person.head))
            #expect(frame.outcomes == [.kept, isCut ? .cut(.outside) : .kept])
        }
    }

    @Test func `if no head fits, the crop shows the largest certain face`() throws {
        let people = [scored(face(100, 1000, 300, 360), 0.7), scored(face(100, 200, 450, 500), 0.2)]
        let crop = try frame(people, "3:1", in: PixelSize(width: 600, height: 1600)).crop
        #expect(crop.y > 900, "\(crop)")
    }
}

/// A copy of the person with a detection score, in the detector's units, and the resulting reliability.
func scored(_ subject: Subject, _ score: Double) -> Subject {
    var copy = subject
    copy.score = Int((score * 1000).rounded())
    copy.reliability = min(1000, max(1, Int((1000 / (1 + exp2(-7 * (score + 0.25)))).rounded())))
    return copy
}
