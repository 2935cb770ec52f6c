import Framing
import Geometry
import TestPacing
import Testing

/// The outcomes of a crop for each person, and the unclamped crop.
@Suite(.limitedConcurrency) struct OutcomeTests {
    private static let size = PixelSize(width: 1000, height: 500)

    @Test func `heads are kept or cut, and if one face is requested, the other faces are ignored`() throws {
        let people = [face(60, 200, 120, 120), face(860, 200, 110, 110), face(240, 220, 60, 60)]
        #expect(try frame(people, "1:1", in: Self.size).outcomes == [.kept, .cut(.outside), .kept])
        var request = FramingRequest()
        request.gravity = .smallest
        let smallest = try Framer.frame(people, in: Self.size, aspect: AspectRatio(1, 1), request: request)
        #expect(smallest.outcomes == [.ignored, .ignored, .kept])
        #expect(smallest.kept == [true, false, true])
    }

    @Test(arguments: [Gravity.center, .attention, .face(3), .point(x: 0, y: 0)])
    func `a crop that does not depend on faces reports all of them as ignored`(gravity: Gravity) throws {
        var request = FramingRequest()
        request.gravity = gravity
        let people = [face(60, 200, 120, 120), face(460, 200, 110, 110)]
        let frame = try Framer.frame(people, in: Self.size, aspect: AspectRatio(1, 1), request: request)
        #expect(frame.outcomes == [.ignored, .ignored])
    }

    @Test(arguments: ["7:2", "10:1", "100:1"])
    func `a head that no crop of the aspect ratio contains is reported as too large`(
        aspect: String
    ) throws {
        let size = PixelSize(width: 700, height: 1000)
        #expect(try frame([face(100, 300, 180, 180)], aspect, in: size).outcomes == [.cut(.tooLarge)])
    }

    @Test func `a crop without room for a whole head keeps the eyes, and the mouth if it is high enough`() throws {
        for seed in 0..<20_000 as Range<UInt64> {
            let layout = RandomLayout(seed: seed)
            let frame = try layout.frame(zoom: 0.5)
            guard !frame.kept.contains(true), frame.crop.height < layout.size.height else { continue }
            let largest = try #require(layout.subjects.max { $0.head.area < $1.head.area })
            if layout.subjects.contains(where: { frame.crop.contains($0.face) }) { continue }
            // At the image's edges the crop cannot move.
            guard frame.crop.y > 0, frame.crop.maxY < layout.size.height else { continue }
            let side = Double(largest.face.height)
            let eyes = largest.eyes ?? Double(largest.face.y) + 0.38 * side
            let (brow, lip) = (eyes - 0.12 * side, eyes + 0.42 * side)
            let (top, bottom) = (Double(frame.crop.y), Double(frame.crop.maxY))
            try #require(
                bottom - top < lip - brow
                    ? abs((top + bottom) / 2 - (brow + lip) / 2) <= 1
                    : top <= brow + 1 && bottom >= min(lip, Double(largest.face.maxY) - 0.02 * side) - 1,
                "seed \(seed): \(layout) gave \(frame.crop)"
            )
        }
    }

    @Test func `moving a crop updates each face's outcome and the distance to the ideal crop`() throws {
        let people = [face(20, 200, 100, 100), face(430, 200, 60, 60), face(780, 200, 90, 90)]
        var frame = try frame(people, "1:1", in: Self.size)
        let (crop, ideal) = (frame.crop, frame.unclamped)
        #expect(frame.outcomes == [.kept, .kept, .cut(.outside)])
        let moved = PixelRect(x: crop.x + 400, y: crop.y, width: crop.width + 6, height: crop.height)
        frame.move(to: moved, subjects: people)
        #expect(frame.crop == moved)
        #expect(frame.kept == people.map { moved.contains($0.head) })
        #expect(frame.outcomes == [.cut(.outside), .kept, .kept])
        #expect(frame.unclamped.x == ideal.x + 400 && frame.unclamped.width == ideal.width + 6)
        frame.move(to: crop, subjects: people)
        #expect(frame.outcomes == [.kept, .kept, .cut(.outside)])
        #expect(frame.unclamped == ideal)
    }

    @Test(arguments: [
        // A centred face: the crop is not clamped horizontally, and vertically it spans the image.
        (face(450, 200, 100, 100), "1:1", PixelRect(x: 250, y: 0, width: 500, height: 500)),
        (face(900, 200, 100, 100), "1:1", PixelRect(x: 700, y: 0, width: 500, height: 500)),
        (face(20, 45, 100, 100), "1:1", PixelRect(x: -180, y: -155, width: 500, height: 500)),
    ])
    func `the unclamped crop can extend beyond the edges`(subject: Subject, aspect: String, unclamped: PixelRect) throws
    {
        let frame = try frame([subject], aspect, in: Self.size)
        #expect(frame.unclamped == unclamped)
        #expect(PixelRect(Self.size).contains(frame.crop))
    }

    @Test func `half of the crop around a focal point in a corner is outside the image`() throws {
        var request = FramingRequest()
        request.gravity = .point(x: 1, y: 0)
        let frame = try Framer.frame([], in: Self.size, aspect: AspectRatio(1, 1), request: request)
        #expect(frame.crop == PixelRect(x: 500, y: 0, width: 500, height: 500))
        #expect(frame.unclamped == PixelRect(x: 750, y: -250, width: 500, height: 500))
    }

    @Test func `clamping moves a crop by the minimum distance`() throws {
        for seed in 0..<5000 as Range<UInt64> {
            let layout = RandomLayout(seed: seed)
            let place = Placement.plain[Int(seed) % Placement.plain.count]
            let frame = try layout.frame(place, zoom: Double(seed % 5) / 4)
            let wanted = frame.unclamped
            #expect(wanted.size == frame.crop.size)
            #expect(frame.crop.x == min(max(wanted.x, 0), layout.size.width - wanted.width))
            #expect(frame.crop.y == min(max(wanted.y, 0), layout.size.height - wanted.height))
        }
    }

    @Test func `the unclamped face crop at the edge includes the padding outside the image`() throws {
        let size = PixelSize(width: 100, height: 100)
        let person = Subject(
            face: PixelRect(x: 0, y: 0, width: 20, height: 20),
            head: PixelRect(x: 0, y: 0, width: 20, height: 20)
        )
        let frame = try Framer.portrait(1, of: [person], in: size, aspect: nil, padding: .pixels(5))
        #expect(frame.crop == PixelRect(x: 0, y: 0, width: 25, height: 25))
        #expect(frame.unclamped == PixelRect(x: -5, y: -5, width: 30, height: 30))
        #expect(frame.outcomes == [.kept])
    }
}
