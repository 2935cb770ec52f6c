import Framing
import Geometry
import Motion
import Testing
import Video

@Suite struct LivePlannerTests {
    private let size = PixelSize(width: 640, height: 360)

    private func face(_ x: Double) -> FaceSighting {
        let head = PixelRect(x: Int(x) - 30, y: 120, width: 60, height: 80).intersection(PixelRect(size))
        let face = PixelRect(x: head.x + 8, y: 140, width: max(1, head.width - 16), height: 60)
        return FaceSighting(Subject(face: face, head: head, tolerance: 3))
    }

    private func thumbnail(_ scene: Int, light: Int = 0) -> Thumbnail {
        Thumbnail(
            (0..<Thumbnail.count).map { UInt8(min(255, ($0 / 3 * 71 &+ scene * 97 &+ $0 * scene) % 200 + 20 + light)) }
        )
    }

    private func run(
        _ frames: Int,
        lookAhead: Int,
        scene: (Int) -> Thumbnail,
        faces: (Int) -> [FaceSighting]
    ) throws -> [PlannedFrame] {
        let request = MotionRequest(size: size, fps: 25, aspect: try #require(AspectRatio(9, 16)))
        var planner = LivePlanner(request, lookAhead: lookAhead)
        var planned: [PlannedFrame] = []
        for frame in 0..<frames {
            let isSearched = frame % 5 == 0 || scene(frame) != scene(frame - 1)
            let sample = isSearched ? FaceSample(frame: frame, faces: faces(frame)) : nil
            planned += planner.add(scene(frame), sample: sample)
            #expect(
                planned.count == max(0, frame + 1 - lookAhead),
                "a crop is available when its look-ahead has arrived"
            )
        }
        planned += planner.finish()
        #expect(planned.map(\.frame) == Array(0..<frames))
        for frame in planned {
            #expect(frame.crop.x >= 0 && frame.crop.x + frame.crop.width <= 640.000001)
        }
        return planned
    }

    private let delays = [0, 3, 10, 25]

    @Test(arguments: [0, 1, 3, 10, 25]) func `the crop around a swaying person does not move`(lookAhead: Int) throws {
        let plan = try run(
            80,
            lookAhead: lookAhead,
            scene: { _ in thumbnail(1) },
            faces: { [face($0 % 10 == 0 ? 306 : 294)] }
        )
        #expect(zip(plan.dropFirst(), plan).allSatisfy { abs($0.crop.x - $1.crop.x) < 0.01 })
    }

    @Test(arguments: [0, 3, 10, 25]) func `the crop changes at the frame of a cut`(lookAhead: Int) throws {
        let plan = try run(
            100,
            lookAhead: lookAhead,
            scene: { thumbnail($0 < 50 ? 1 : 2) },
            faces: { [face($0 < 50 ? 100 : 540)] }
        )
        #expect(plan[49].crop.x < 100)
        #expect(plan[50].crop.x > 400)
        #expect(plan.filter(\.isCut).map(\.frame) == [50])
    }

    @Test(arguments: [0, 3, 25]) func `a flash does not move the crop`(lookAhead: Int) throws {
        let flash = 50..<52
        let plan = try run(
            100,
            lookAhead: lookAhead,
            scene: { thumbnail(1, light: flash.contains($0) ? 230 : 0) },
            faces: { flash.contains($0) ? [] : [face(500)] }
        )
        #expect(plan.dropFirst().allSatisfy { abs($0.crop.x - plan[1].crop.x) < 0.5 })
    }

    @Test(arguments: [0, 12, 25]) func `the crop always contains a walking person`(lookAhead: Int) throws {
        let plan = try run(
            200,
            lookAhead: lookAhead,
            scene: { _ in thumbnail(1) },
            faces: { [face(80 + 2.4 * Double($0))] }
        )
        for frame in plan {
            let middle = 80 + 2.4 * Double(frame.frame)
            #expect(
                frame.crop.x <= middle - 15 && frame.crop.x + frame.crop.width >= middle + 15,
                "frame \(frame.frame)"
            )
        }
    }

    @Test func `the crop keeps its person while another face appears and disappears`() throws {
        let plan = try run(
            150,
            lookAhead: 0,
            scene: { _ in thumbnail(1) },
            faces: { [face(100)] + ($0 % 20 < 10 ? [face(560)] : []) }
        )
        #expect(plan.allSatisfy { $0.crop.x < 100 })
    }

    @Test(arguments: [5.0, 12.5, 25, 50])
    func `the duration of the look-ahead does not depend on the frame rate`(rate: Double) throws {
        let request = MotionRequest(size: size, fps: 25, aspect: try #require(AspectRatio(9, 16)))
        var planner = LivePlanner(request, lookAhead: 50)
        var planned: [Int] = []
        for frame in 0..<Int(4 * rate) {
            planned += planner.add(thumbnail(0), sample: nil, seconds: frame == 0 ? 0 : 1 / rate).map(\.frame)
            #expect(abs(frame + 1 - planned.count - Int(2 * rate)) <= 2 || planned.isEmpty, "frame \(frame)")
        }
        // No frame arrived for a second.
        planned += planner.add(thumbnail(0), sample: nil, seconds: 1).map(\.frame)
        #expect(abs(planned.count - Int(3 * rate)) <= 2)
        planned += planner.finish().map(\.frame)
        #expect(planned == Array(0...Int(4 * rate)))
    }

    @Test(arguments: [5.0, 12.5, 50])
    func `the time until a crop arrives does not depend on the frame rate`(rate: Double) throws {
        let request = MotionRequest(size: size, fps: 25, aspect: try #require(AspectRatio(9, 16)))
        var planner = LivePlanner(request, lookAhead: 0)
        var (arrival, time): (Double?, Double) = (nil, 0)
        while time < 6, arrival == nil {
            // The face is on the left for two seconds, and then jumps to the right.
            let sample = FaceSample(frame: 0, faces: [face(time < 2 ? 150 : 400)])
            let planned = planner.add(thumbnail(0), sample: sample, seconds: time == 0 ? 0 : 1 / rate)
            if time > 2, let crop = planned.last?.crop, crop.x < 400, crop.x + crop.width > 430 { arrival = time - 2 }
            time += 1 / rate
        }
        let seconds = try #require(arrival)
        #expect((0.2...2.2).contains(seconds), "\(seconds)")
    }
}
