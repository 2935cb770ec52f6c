import Framing
import Geometry
import Motion
import Testing
import Video

@Suite struct LayoutTests {
    private let size = PixelSize(width: 640, height: 360)

    /// A head of 60×80 pixels with its centre at `x`; `lips` is 0.2 for a person who speaks.
    private func face(_ x: Double, y: Double = 160, scale: Double = 1, lips: Double? = nil) -> FaceSighting {
        let (width, height) = (60 * scale, 80 * scale)
        let head = PixelRect(x: Int(x - width / 2), y: Int(y - height / 2), width: Int(width), height: Int(height))
            .intersection(PixelRect(size))
        let face = PixelRect(
            x: head.x + head.width / 8,
            y: head.y + head.height / 4,
            width: head.width * 3 / 4,
            height: head.height * 3 / 4
        )
        return FaceSighting(Subject(face: face, head: head, reliability: 1000, tolerance: 3), lips: lips)
    }

    private func clip(
        _ frames: Int,
        _ layout: Layout,
        aspect: (Double, Double) = (9, 16),
        shots: [Int] = [0],
        screen: FractionalRect? = nil,
        edits: PlanEdits = PlanEdits(),
        faces: (Int) -> [FaceSighting]
    ) throws -> ClipPlan {
        let shape = try #require(AspectRatio(aspect.0, aspect.1))
        let request = MotionRequest(size: size, fps: 25, aspect: shape, layout: layout, screen: screen)
        let samples = stride(from: 0, to: frames, by: 5).map { FaceSample(frame: $0, faces: faces($0)) }
        let clip = ClipPlanner.clip(request, frameCount: frames, shots: shots, samples: samples, edits: edits)
        #expect(clip.frames.map(\.frame) == Array(0..<frames))
        for frame in clip.frames {
            var regions = [frame.crop]
            if case .two(let second, _) = frame.panes { regions.append(second) }
            for region in regions {
                #expect(region.x >= -1e-6 && region.x + region.width <= 640 + 1e-6)
                #expect(region.y >= -1e-6 && region.y + region.height <= 360 + 1e-6)
            }
        }
        return clip
    }

    private func holds(_ region: FractionalRect, _ x: Double, y: Double = 160) -> Bool {
        region.x <= x - 28 && region.x + region.width >= x + 28 && region.y <= y - 38
            && region.y + region.height >= y + 38
    }

    /// Two people at the sides: the left one speaks before a frame, and the right one from this frame.
    private func dialogue(_ change: Int) -> (Int) -> [FaceSighting] {
        { [self] in
            [face(80, lips: $0 < change ? 0.15 : 0.01), face(560, lips: $0 < change ? 0.01 : 0.15)]
        }
    }

    @Test func `the crop changes from one speaker to the other with a cut and does not move in between`() throws {
        let clip = try clip(200, .hold, faces: dialogue(100))
        let cuts = clip.frames.filter(\.isCut).map(\.frame)
        #expect(cuts.count == 1 && cuts.allSatisfy { (92...115).contains($0) }, "\(cuts)")
        let cut = try #require(cuts.first)
        #expect(clip.frames.allSatisfy { holds($0.crop, $0.frame < cut ? 80 : 560) })
        let steps = zip(clip.frames.dropFirst(), clip.frames).filter { !$0.0.isCut }.map { abs($0.crop.x - $1.crop.x) }
        #expect(steps.allSatisfy { $0 < 0.01 })
        #expect(clip.speech.map(\.person) == [1, 2])
        #expect(clip.shots.map(\.layout) == [.hold] && clip.shots[0].people == [1, 2])
    }

    @Test func `without speech the crop shows the larger person throughout`() throws {
        let clip = try clip(150, .hold) { _ in [face(80), face(540, scale: 1.5)] }
        #expect(clip.frames.allSatisfy { !$0.isCut && holds($0.crop, 540) })
        #expect(clip.speech.isEmpty)
    }

    @Test func `people who fit into one crop need no cut`() throws {
        let clip = try clip(200, .hold) { frame in
            [face(280, lips: frame < 100 ? 0.15 : 0), face(360, lips: frame < 100 ? 0 : 0.15)]
        }
        #expect(clip.frames.allSatisfy { !$0.isCut && holds($0.crop, 280) && holds($0.crop, 360) })
    }

    @Test(arguments: [(9.0, 16.0), (4, 5), (1, 1), (16, 9)])
    func `two people are stacked, each in a separate pane that does not move`(aspect: (Double, Double)) throws {
        let clip = try clip(120, .stack, aspect: aspect) { frame in
            [face(100 + (frame % 10 == 0 ? 3 : -3)), face(540, y: 200)]
        }
        #expect(clip.shots.map(\.layout) == [.stack])
        for frame in clip.frames {
            guard case .two(let second, let share) = frame.panes else {
                Issue.record("frame \(frame.frame) has one pane")
                continue
            }
            #expect(share == 0.5)
            #expect(holds(frame.crop, 100) && holds(second, 540, y: 200))
            let shape = aspect.0 / aspect.1
            let wanted = shape >= 1 ? shape / 2 : shape * 2
            #expect(abs(frame.crop.width / frame.crop.height - wanted) < 1e-6)
            #expect(abs(second.width / second.height - wanted) < 1e-6)
            // The other person is not in the pane.
            #expect(frame.crop.x + frame.crop.width <= 540 && second.x >= 100)
        }
        let steps = zip(clip.frames.dropFirst(), clip.frames).map { abs($0.crop.x - $1.crop.x) }
        #expect(steps.allSatisfy { $0 < 0.01 })
    }

    @Test func `a screen and a person are stacked, and the screen is as large as its aspect ratio allows`() throws {
        let screen = FractionalRect(x: 0, y: 0, width: 480, height: 270)
        let clip = try clip(60, .stack, screen: screen) { _ in [face(200), face(580, y: 260)] }
        let frame = clip.frames[30]
        guard case .two(let second, let share) = frame.panes else {
            Issue.record("there is only one pane")
            return
        }
        // 16:9 at the width of 9:16 has 0.316 of its height.
        #expect(abs(share - 0.3164) < 0.001)
        #expect(abs(frame.crop.width - 480) < 1 && abs(frame.crop.height - 270) < 1)
        #expect(holds(second, 580, y: 260))
    }

    @Test func `if one person leaves a stack, a cut leads to a crop of the other person`() throws {
        let clip = try clip(200, .stack) { frame in frame < 100 ? [face(100), face(540)] : [face(540)] }
        let cuts = clip.frames.filter(\.isCut).map(\.frame)
        #expect(cuts.count == 1 && cuts.allSatisfy { (96...110).contains($0) }, "\(cuts)")
        let cut = try #require(cuts.first)
        #expect(clip.frames[..<cut].allSatisfy { $0.panes != .one })
        #expect(clip.frames[cut...].allSatisfy { $0.panes == .one && holds($0.crop, 540) })
    }

    @Test func `a stack with one person becomes a crop and reports the reason`() throws {
        let clip = try clip(60, .stack) { _ in [face(300)] }
        #expect(clip.shots[0].layout == .follow && clip.shots[0].reason.contains("fewer than two"))
        #expect(clip.frames.allSatisfy { $0.panes == .one && holds($0.crop, 300) })
    }

    @Test func `wide shows the whole image`() throws {
        let clip = try clip(30, .wide) { _ in [face(80), face(560)] }
        #expect(clip.frames.allSatisfy { $0.panes == .whole && $0.crop.width == 640 && $0.crop.height == 360 })
    }

    /// Shots with their content, and the layout that an editor would choose.
    @Test func `auto chooses for each shot, with a reason`() throws {
        let crowd = [60.0, 190, 320, 450, 580]
        let clip = try clip(600, .auto, shots: [0, 100, 200, 300, 400, 500, 520]) { frame in
            switch frame {
            case ..<100: [face(300)]
            case ..<200:
                [face(80, lips: 0.15), face(560, lips: 0.14)].enumerated().map { index, face in
                    // Both people speak, in turns of one second.
                    var face = face
                    face.lips = frame / 25 % 2 == index ? 0.15 : 0.01
                    return face
                }
            case ..<300: [face(80, lips: 0.15), face(560, lips: 0.01)]
            case ..<400: crowd.map { face($0) }
            case ..<500: []
            case ..<520: [face(80), face(560)]
            default: [face(280), face(370)]
            }
        }
        #expect(clip.shots.map(\.layout) == [.follow, .stack, .hold, .wide, .follow, .follow, .follow])
        let words = [
            "one person", "both take part", "% of the speech", "5 people", "no person", "shorter", "holds all 2",
        ]
        for (shot, word) in zip(clip.shots, words) { #expect(shot.reason.contains(word), "\(shot.reason)") }
    }

    // MARK: Edits

    @Test func `the crop moves towards a position set by an edit, and jumps are kept`() throws {
        let edits = PlanEdits(crops: [.init(frame: 50, x: 300), .init(frame: 80, x: 260)])
        let faces: (Int) -> [FaceSighting] = { [self] in [face($0 < 100 ? 320 : 80)] }
        let before = try clip(200, .follow, shots: [0, 100], faces: faces)
        let after = try clip(200, .follow, shots: [0, 100], edits: edits, faces: faces)
        #expect(after.frames[50].crop.x == 300 && after.frames[80].crop.x == 260)
        #expect(abs(after.frames[65].crop.x - 280) < 1)
        #expect(after.frames[0].crop.x == 300 && after.frames[99].crop.x == 260)
        #expect(after.frames[100...] == before.frames[100...])
    }

    @Test func `a person selected by number or position is shown`() throws {
        let faces: (Int) -> [FaceSighting] = { [self] _ in [face(540, scale: 1.5), face(80)] }
        let request = MotionRequest(size: size, fps: 25, aspect: try #require(AspectRatio(9, 16)))
        let plan = try clip(100, .follow, faces: faces)
        #expect(plan.frames.allSatisfy { holds($0.crop, 540) })
        for person in [PlanEdits.Person.number(2), .place(frame: 20, x: 85, y: 150)] {
            let edits = PlanEdits(shots: [.init(frame: 30, people: [person])])
            let changed = ClipPlanner.changed(plan, request, edits: edits)
            #expect(changed.frames.allSatisfy { holds($0.crop, 80) })
            #expect(changed.shots[0].reason == "changed by hand" && changed.shots[0].people == [2])
            #expect(try clip(100, .follow, edits: edits, faces: faces).frames == changed.frames)
        }
        let wide = ClipPlanner.changed(plan, request, edits: PlanEdits(shots: [.init(frame: 0, layout: .wide)]))
        #expect(wide.frames.allSatisfy { $0.panes == .whole })
        #expect(ClipPlanner.changed(plan, request, edits: PlanEdits()).frames == plan.frames)
        // No person has this number, so the plan's own choice applies.
        let nobody = PlanEdits(shots: [.init(frame: 0, people: [.number(9)])])
        #expect(ClipPlanner.changed(plan, request, edits: nobody).frames.allSatisfy { holds($0.crop, 540) })
    }
}
