import Framing
import Geometry
import Motion
import Testing

@Suite struct ClipPlannerTests {
    private let size = PixelSize(width: 640, height: 360)
    private let shape = AspectRatio(9, 16)

    /// A head of 60×80 pixels with its centre at `x`.
    private func face(_ x: Double, y: Double = 160, scale: Double = 1, reliability: Int = 1000) -> FaceSighting {
        let (width, height) = (60 * scale, 80 * scale)
        let head = PixelRect(
            x: Int(x - width / 2),
            y: Int(y - height / 2),
            width: Int(width),
            height: Int(height)
        ).intersection(PixelRect(size))
        let face = PixelRect(
            x: head.x + head.width / 8,
            y: head.y + head.height / 4,
            width: head.width * 3 / 4,
            height: head.height * 3 / 4
        )
        return FaceSighting(Subject(face: face, head: head, reliability: reliability, tolerance: 3))
    }

    /// A head that is estimated from a cut body: with the top and the centre of a head of `face`, and another size.
    private func estimate(_ x: Double, scale: Double) -> FaceSighting {
        var sighting = face(x, y: 120 + 40 * scale, scale: scale, reliability: 600)
        (sighting.isSure, sighting.isEstimated) = (false, true)
        return sighting
    }

    private func plan(
        _ frames: Int,
        shots: [Int] = [0],
        framing: FramingRequest = FramingRequest(),
        faces: (Int) -> [FaceSighting]
    ) throws -> [PlannedFrame] {
        let request = MotionRequest(size: size, fps: 25, aspect: try #require(shape), framing: framing)
        let samples = stride(from: 0, to: frames, by: 5).map { FaceSample(frame: $0, faces: faces($0)) }
        let plan = ClipPlanner.plan(request, frameCount: frames, shots: shots, samples: samples)
        #expect(plan.map(\.frame) == Array(0..<frames))
        for frame in plan {
            #expect(frame.crop.x >= -1e-6 && frame.crop.x + frame.crop.width <= 640 + 1e-6)
            #expect(frame.crop.y >= -1e-6 && frame.crop.y + frame.crop.height <= 360 + 1e-6)
            #expect(abs(frame.crop.width / frame.crop.height - 9.0 / 16) < 1e-9)
        }
        return plan
    }

    private func steps(_ plan: [PlannedFrame]) -> [Double] {
        zip(plan.dropFirst(), plan).map { $0.crop.x - $1.crop.x }
    }

    @Test func `the crop around a swaying person does not move`() throws {
        let plan = try plan(100) { frame in [face(300 + (frame % 10 == 0 ? 15 : -15))] }
        #expect(steps(plan).allSatisfy { abs($0) < 0.01 })
        #expect(plan.allSatisfy { $0.crop.x < 255 && $0.crop.x + $0.crop.width > 345 })
    }

    @Test func `the crop follows a walking person smoothly and always contains the person`() throws {
        let plan = try plan(150) { [face(80 + 3 * Double($0))] }
        for frame in plan {
            let middle = 80 + 3 * Double(min(frame.frame, 145))
            #expect(frame.crop.x <= middle - 25 && frame.crop.x + frame.crop.width >= middle + 25)
        }
        let pushes = zip(steps(plan).dropFirst(), steps(plan)).map { abs($0 - $1) }
        #expect(pushes.allSatisfy { $0 < 1 })
    }

    @Test(arguments: [0.3, 0.5, 1, 2]) func `a person who turns away is followed by the body`(scale: Double) throws {
        let plan = try plan(150) { frame in
            let middle = 80 + 3 * Double(frame)
            return [frame < 50 ? face(middle) : estimate(middle, scale: scale)]
        }
        for frame in plan {
            let middle = 80 + 3 * Double(min(frame.frame, 145))
            #expect(frame.crop.x <= middle - 25 && frame.crop.x + frame.crop.width >= middle + 25)
        }
    }

    @Test(arguments: [(scale: 0.2, start: 300.0), (scale: 8, start: 300), (scale: 1, start: 360)])
    func `the body of another person is not followed`(scale: Double, start: Double) throws {
        let plan = try plan(150) { frame in
            [frame < 50 ? face(300) : estimate(start + Double(frame - 50), scale: scale)]
        }
        #expect(steps(plan).allSatisfy { abs($0) < 0.01 })
    }

    @Test func `with two people too far apart, the crop keeps the same person throughout`() throws {
        let plan = try plan(100) { _ in [face(60), face(580)] }
        #expect(steps(plan).allSatisfy { abs($0) < 0.01 })
        let kept = [60.0, 580.0].filter { plan[0].crop.x <= $0 - 30 && plan[0].crop.x + plan[0].crop.width >= $0 + 30 }
        #expect(kept.count == 1)
    }

    @Test func `the crop keeps a face that is not detected for a second`() throws {
        let plan = try plan(100) { (40..<65).contains($0) ? [] : [face(500)] }
        #expect(steps(plan).allSatisfy { abs($0) < 0.01 })
    }

    @Test func `a single uncertain detection is not followed`() throws {
        let plan = try plan(100) { frame in [face(500)] + (frame == 50 ? [face(90, reliability: 700)] : []) }
        #expect(steps(plan).allSatisfy { abs($0) < 0.01 })
    }

    @Test func `the crop jumps only at a cut`() throws {
        let plan = try plan(100, shots: [0, 50]) { [face($0 < 50 ? 100 : 540)] }
        #expect(plan.filter(\.isCut).map(\.frame) == [50])
        #expect(plan[50].crop.x - plan[49].crop.x > 300)
        #expect(steps(plan).enumerated().allSatisfy { $0.offset == 49 || abs($0.element) < 0.01 })
        #expect(plan.map(\.shot) == [Int](repeating: 0, count: 50) + [Int](repeating: 1, count: 50))
    }

    @Test func `without people the crop is at the fallback position`() throws {
        var framing = FramingRequest()
        framing.fallback = .left
        let plan = try plan(20, framing: framing) { _ in [] }
        #expect(plan.allSatisfy { $0.crop.x < 1 && $0.faces == 0 })
    }

    @Test func `gravity selects one person for the whole shot`() throws {
        var framing = FramingRequest()
        framing.gravity = .largest
        let plan = try plan(100, framing: framing) { frame in [face(100, scale: 0.8), face(540, scale: 1.2)] }
        #expect(plan.allSatisfy { $0.crop.x > 400 })
        framing.gravity = .smallest
        let other = try self.plan(100, framing: framing) { frame in [face(100, scale: 0.8), face(540, scale: 1.2)] }
        #expect(other.allSatisfy { $0.crop.x < 100 })
    }

    @Test func `zoom gives a shot one smaller crop size`() throws {
        var framing = FramingRequest()
        framing.zoom = 1
        let plan = try plan(50, framing: framing) { [face(300 + Double($0) / 10)] }
        #expect(plan.allSatisfy { abs($0.crop.width - plan[0].crop.width) < 1e-9 && $0.crop.width < 100 })
        #expect(plan.allSatisfy { $0.crop.y <= 121 && $0.crop.y + $0.crop.height >= 199 })
    }

    @Test func `a long shot is planned in pieces without jumps between them`() throws {
        // The face moves from side to side, by one pixel per frame.
        let plan = try plan(4000) { frame in
            let phase = (Double(frame) / 400).truncatingRemainder(dividingBy: 2)
            return [face(120 + 400 * abs(phase - 1))]
        }
        let jumps = zip(plan.dropFirst(), plan).filter { abs($0.crop.x - $1.crop.x) > 40 }
        #expect(jumps.isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4]) func `a shot with few frames has a plan`(frames: Int) throws {
        let plan = try plan(frames) { _ in [face(500)] }
        #expect(plan.allSatisfy { $0.crop.x > 300 })
    }
}
