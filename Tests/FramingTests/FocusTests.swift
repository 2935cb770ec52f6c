import Framing
import Geometry
import TestPacing
import Testing

/// Anchors, focal areas, and the area of a frame's subjects.
@Suite(.limitedConcurrency) struct FocusTests {
    static let anchors: [(Gravity, wide: (Int, Int), tall: (Int, Int))] = [
        (.topLeft, (0, 0), (0, 0)), (.top, (150, 0), (0, 0)), (.topRight, (300, 0), (0, 0)),
        (.left, (0, 0), (0, 150)), (.center, (150, 0), (0, 150)), (.right, (300, 0), (0, 150)),
        (.bottomLeft, (0, 0), (0, 300)), (.bottom, (150, 0), (0, 300)), (.bottomRight, (300, 0), (0, 300)),
    ]

    @Test(arguments: anchors)
    func `a crop is anchored at nine points`(gravity: Gravity, wide: (Int, Int), tall: (Int, Int)) throws {
        var request = FramingRequest()
        request.gravity = gravity
        let across = try Framer.frame([], in: size(500, 200), aspect: AspectRatio(1, 1), request: request)
        #expect(across.crop == PixelRect(x: wide.0, y: wide.1, width: 200, height: 200))
        #expect(across.decision == Decision(gravity))
        let down = try Framer.frame([], in: size(200, 500), aspect: AspectRatio(1, 1), request: request)
        #expect(down.crop == PixelRect(x: tall.0, y: tall.1, width: 200, height: 200))
        #expect(!request.needsFaces && !request.needsAttention(for: []))
    }

    @Test func `bars are opposite the anchor`() throws {
        var request = FramingRequest()
        request.fit = .pad
        request.gravity = .bottomRight
        let frame = try Framer.frame([], in: size(100, 50), aspect: AspectRatio(1, 1), request: request)
        let (_, image) = ResultSize().resolved(for: frame, aspect: AspectRatio(1, 1))
        #expect(image == PixelRect(x: 0, y: 50, width: 100, height: 50))
    }

    @Test func `a focal area is kept instead of faces, or together with them`() throws {
        var request = FramingRequest()
        request.gravity = .focus
        let head = PixelRect(x: 0, y: 40, width: 60, height: 60)
        let person = Subject(face: head, head: head)
        let area = focal(400, 20, 80, 80)
        func frame(_ gravity: Gravity, weight: Double) throws -> Frame {
            request.gravity = gravity
            var area = area
            area.reliability = Int(weight * 1000)
            return try Framer.frame(
                [person],
                focal: [area],
                in: size(500, 200),
                aspect: AspectRatio(1, 1),
                request: request
            )
        }
        let alone = try frame(.focus, weight: 0.5)
        #expect(alone.decision == .focus)
        #expect(alone.crop.contains(area.head))
        #expect(alone.outcomes == [.ignored])
        let heavier = try frame(.faces, weight: 2)
        #expect(heavier.crop.contains(area.head) && heavier.outcomes == [.cut(.outside)])
        let lighter = try frame(.faces, weight: 0.5)
        #expect(lighter.decision == .faces && lighter.outcomes == [.kept])
        let missing = try frame(.face(3), weight: 1)
        #expect(missing.decision == .focus && missing.crop == alone.crop)
    }

    @Test func `focal areas replace the attention map`() {
        var request = FramingRequest()
        request.focal = [
            FocalArea(Region(x: .share(0), y: .share(0), width: .share(0.1), height: .share(0.1)))
        ]
        #expect(request.needsFaces && !request.needsAttention(for: []))
        request.gravity = .focus
        #expect(!request.needsFaces && !request.needsAttention(for: []))
    }

    @Test func `fit=auto adds bars instead of cutting a focal area`() throws {
        var request = FramingRequest()
        request.gravity = .focus
        request.fit = .auto
        let frame = try Framer.frame(
            [],
            focal: [focal(0, 0, 50, 50), focal(450, 150, 50, 50)],
            in: size(500, 200),
            aspect: AspectRatio(1, 1),
            request: request
        )
        #expect(frame.decision == .pad && frame.crop == PixelRect(x: 0, y: 0, width: 500, height: 200))
    }

    @Test func `a crop centred on the focal point keeps the same heads, on random layouts`() async throws {
        for seed in RandomLayout.batches.prefix(2).joined() {
            if seed.isMultiple(of: 16) { await Task.yield() }
            let layout = RandomLayout(seed: seed)
            let frame = try layout.frame(zoom: Double(seed % 3) / 2)
            let area = frame.subjectArea ?? frame.crop
            #expect(PixelRect(layout.size).contains(area))
            var request = FramingRequest()
            request.gravity = .point(
                x: (Double(area.x) + Double(area.width) / 2) / Double(layout.size.width),
                y: (Double(area.y) + Double(area.height) / 2) / Double(layout.size.height)
            )
            let anchored = try Framer.frame(layout.subjects, in: layout.size, aspect: layout.aspect, request: request)
            for (kept, again) in zip(frame.kept, anchored.kept) where kept {
                try #require(again, "seed \(seed): \(layout) gave \(frame), then \(anchored)")
            }
        }
    }

    @Test func `the subject area surrounds the heads that gravity selects and the crop keeps`() throws {
        let heads = [PixelRect(x: 20, y: 30, width: 50, height: 60), PixelRect(x: 100, y: 10, width: 30, height: 30)]
        let people = heads.map { Subject(face: $0, head: $0) }
        func area(_ gravity: Gravity, _ subjects: [Subject]) throws -> PixelRect? {
            var request = FramingRequest()
            request.gravity = gravity
            return try Framer.frame(subjects, in: size(500, 200), aspect: AspectRatio(1, 1), request: request)
                .subjectArea
        }
        #expect(try area(.faces, people) == PixelRect(x: 20, y: 10, width: 110, height: 80))
        #expect(try area(.smallest, people) == heads[1])
        #expect(try area(.center, people) == nil)
        #expect(try area(.faces, []) == nil)
    }

    @Test func `a frame of a part is converted to the coordinates of the whole image`() throws {
        let head = PixelRect(x: 10, y: 20, width: 30, height: 40)
        var frame = try Framer.frame(
            [Subject(face: head, head: head)],
            in: size(100, 80),
            aspect: AspectRatio(1, 1),
            request: FramingRequest()
        )
        let (crop, unclamped) = (frame.crop, frame.unclamped)
        frame.move(from: PixelRect(x: 7, y: 9, width: 100, height: 80))
        #expect(frame.crop == PixelRect(x: crop.x + 7, y: crop.y + 9, width: crop.width, height: crop.height))
        #expect(frame.unclamped.x == unclamped.x + 7 && frame.unclamped.y == unclamped.y + 9)
        #expect(frame.subjectArea == PixelRect(x: 17, y: 29, width: 30, height: 40))
    }

    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    private func focal(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Subject {
        let rect = PixelRect(x: x, y: y, width: width, height: height)
        return Subject(face: rect, head: rect)
    }
}
