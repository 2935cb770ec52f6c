import Framing
import Geometry
import TestPacing
import Testing

/// Crops with the aspect ratio of the group of heads.
@Suite(.limitedConcurrency) struct GroupCropTests {
    @Test func `the crop is the rectangle around all padded heads, on random layouts`() throws {
        for seed in UInt64(0)..<2000 {
            let layout = RandomLayout(seed: seed)
            for gravity in [Gravity.faces, .largest, .centermost, .face(1)] {
                var request = layout.request()
                request.fitsHeads = true
                request.gravity = gravity
                let frame = try Framer.frame(layout.subjects, in: layout.size, aspect: nil, request: request)
                let chosen = zip(layout.subjects, frame.outcomes).filter { $0.1 != .ignored }.map(\.0.head)
                // The first and last columns and rows that a padded head covers, in pixels.
                let columns = (0..<layout.size.width).filter { x in
                    chosen.contains { (($0.x - layout.padding)..<($0.maxX + layout.padding)).contains(x) }
                }
                let rows = (0..<layout.size.height).filter { y in
                    chosen.contains { (($0.y - layout.padding)..<($0.maxY + layout.padding)).contains(y) }
                }
                let expected = PixelRect(
                    x: columns[0],
                    y: rows[0],
                    width: columns[columns.count - 1] - columns[0] + 1,
                    height: rows[rows.count - 1] - rows[0] + 1
                )
                try #require(frame.crop == expected, "seed \(seed) \(gravity): \(layout)")
                try #require(frame.outcomes.allSatisfy { $0 == .kept || $0 == .ignored })
                #expect(frame.decision == Decision(gravity))
            }
        }
    }

    @Test func `focal areas belong to the group, and without people the fallback applies`() throws {
        var request = FramingRequest()
        request.fitsHeads = true
        request.padding = .pixels(5)
        let size = PixelSize(width: 400, height: 300)
        let area = PixelRect(x: 300, y: 200, width: 50, height: 40)
        let head = PixelRect(x: 20, y: 30, width: 40, height: 50)
        let frame = try Framer.frame(
            [Subject(face: head, head: head)],
            focal: [Subject(face: area, head: area)],
            in: size,
            aspect: nil,
            request: request
        )
        #expect(frame.crop == PixelRect(x: 15, y: 25, width: 340, height: 220))
        request.fallback = .center
        let nobody = try Framer.frame([], in: size, aspect: nil, request: request)
        #expect(nobody.crop == PixelRect(size) && nobody.decision == .fallback(.center))
    }
}
