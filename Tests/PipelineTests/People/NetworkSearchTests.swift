import FaceDetection
import Framing
import Geometry
import Imaging
import Pipeline
import Synchronization
import TestPacing
import SubjectDetection
import TestImages
import Testing
import Workers

/// The network's passes together with a second opinion.
@Suite(.limitedConcurrency) struct NetworkSearchTests {
    private static let size = PixelSize(width: 640, height: 400)
    private static let face = DrawnFace(x: 120, y: 120, side: 130)

    /// The actual network, and a second detector that finds nothing and records its inputs.
    private struct Opinionated: FaceDetector {
        let name = "nobody"
        let smallestDetectableSide = 80
        let shown: Shown

        /// The model of the network with this second detector.
        static func model(_ shown: Shown) -> FaceDetectorModel {
            FaceDetectorModel(name: "yunet+nobody") {
                NetworkDetector(try FaceNetwork(), secondOpinion: Opinionated(shown: shown))
            }
        }

        func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
            shown.sizes.withLock { $0.append(image.size) }
            return []
        }
    }

    private final class Shown: Sendable {
        let sizes = Mutex<[PixelSize]>([])
    }

    private func plan(
        _ model: FaceDetectorModel,
        _ faces: [DrawnFace] = [face],
        _ change: (inout FrameJob) -> Void = { _ in }
    ) async throws -> FramePlan {
        let service = try WorkerService(
            model: model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        let source = try DrawnImage(width: Self.size.width, height: Self.size.height, faces: faces).png()
        var job = FrameJob(source: source, target: .plan)
        change(&job)
        return try await service.run(job).plan
    }

    /// The plan, and the sizes of the second detector's inputs.
    private func planAndShown(
        _ faces: [DrawnFace],
        _ accuracy: Accuracy
    ) async throws -> (plan: FramePlan, shown: [PixelSize]) {
        let shown = Shown()
        let plan = try await plan(Opinionated.model(shown), faces) { $0.options.accuracy = accuracy }
        return (plan, shown.sizes.withLock(\.self))
    }

    @Test func `each built-in detector has the search strategy of its kind`() throws {
        for detector in BuiltInDetector.all {
            let model = try detector.model()
            let search = try model.makeSearch()
            #expect(search.detectorName == model.name, "\(detector.name)")
            #expect((search.needs is NetworkNeeds) == detector.name.hasPrefix("yunet"), "\(detector.name)")
        }
        #expect(try Opinionated.model(Shown()).makeSearch().needs is NetworkNeeds)
    }

    @Test func `a face that both detect has the network's box and the second detector's pose`() async throws {
        let plan = try await plan(.standard)
        let face = try #require(plan.faces.first)
        #expect(plan.faces.count == 1 && face.finder == .network && face.pose != nil)
        #expect(face.finders == .both && face.finders(of: "yunet+dlib-hog") == ["yunet", "dlib-hog"])
        #expect(face.box.overlap(with: Self.face.box) > 0.5 && face.head.height > Self.face.box.height)
        #expect(plan.detector?.passes.map(\.found) == [1, 1, 1])
    }

    @Test func `a crop follows a person whom only the network finds`() async throws {
        let size = PixelSize(width: 480, height: 160)
        let columns = (0..<12).map { 20 + 28 * $0 }
        let writer = try AnimationEncoder.begin(.png, size: size, plays: 0)
        for x in columns {
            let face = DrawnFace(x: x, y: 40, side: 80)
            let image = try DrawnImage(width: size.width, height: size.height, faces: [face]).image()
            try writer.add(image, milliseconds: 100)
        }
        let shown = Shown()
        let service = try WorkerService(
            model: Opinionated.model(shown),
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        var job = FrameJob(source: try writer.finish(), target: .plan)
        job.options.aspects = [AspectRatio(1, 1)]
        job.options.motion = .follow
        let path = try #require(try await service.run(job).plan.crops[0].path)
        for (rect, x) in zip(path, columns) { #expect(rect.x <= x && rect.x + rect.width >= x + 80) }
    }

    @Test func `the second detector gets only the area of the face`() async throws {
        let (plan, shown) = try await planAndShown([Self.face], .high)
        #expect(plan.faces.count == 1 && plan.faces[0].finders == .network)
        #expect(plan.faces[0].finders(of: "yunet+nobody") == ["yunet"])
        // The pass over the whole image has 768×480 pixels.
        let size = try #require(shown.first)
        #expect(shown.count == 1 && (300...600).contains(size.width) && size.height <= 480)
    }

    @Test func `with accuracy=low the second detector does not run for a certain face`() async throws {
        let (plan, shown) = try await planAndShown([Self.face], .low)
        #expect(plan.faces.count == 1 && plan.faces[0].confidence >= 0.494 && shown.isEmpty)
    }

    @Test func `without suspicions only the network runs more passes, rotated if a person is likely`() async throws {
        let (plan, shown) = try await planAndShown([], .high)
        #expect(plan.faces.isEmpty && shown.isEmpty)
        let mayBePerson = !SubjectNetwork.isAvailable || plan.subjects.contains { $0.kind == .person }
        #expect(plan.detector?.passes.map(\.turn) == (mayBePerson ? [0, 0, 90, 270, 180] : [0, 0]))
    }

    @Test(arguments: ["yunet+dlib-hog", "yunet"])
    func `faces are found in colour and grey, large and small, at both accuracies`(name: String) async throws {
        let model = name == "yunet" ? FaceDetectorModel.network : try .standard
        let faces = [DrawnFace(x: 60, y: 100, side: 150), DrawnFace(x: 420, y: 180, side: 34)]
        for accuracy in Accuracy.allCases {
            let plan = try await plan(model, faces) { $0.options.accuracy = accuracy }
            #expect(plan.faces.count == 2 && plan.detector?.name == name, "\(accuracy)")
            #expect(zip(plan.faces, faces).allSatisfy { $0.box.overlap(with: $1.box) > 0.4 })
            #expect(plan.faces.allSatisfy { $0.landmarks != nil })
        }
    }

    @Test func `faces too small for the pass over the whole image are found with region or a small minFace`()
        async throws
    {
        let face = DrawnFace(x: 2800, y: 900, side: 18)
        let source = try DrawnImage(width: 3200, height: 2000, faces: [face]).png()
        let service = try WorkerService(
            model: .network,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        func plan(_ change: (inout FrameJob) -> Void) async throws -> FramePlan {
            var job = FrameJob(source: source, target: .plan)
            change(&job)
            return try await service.run(job).plan
        }
        #expect(try await plan { _ in }.faces.isEmpty)
        let small = try await plan { $0.options.smallestFace = 0.006 }
        #expect(small.faces.count == 1 && small.faces[0].box.overlap(with: face.box) > 0.4)
        #expect(small.detector?.passes.map(\.workingSize.width).max() == 1920)
        let near = try await plan {
            $0.options.region = Region(x: .pixels(2600), y: .pixels(700), width: .pixels(500), height: .pixels(400))
        }
        #expect(near.faces.count == 1 && near.faces[0].box.overlap(with: face.box) > 0.4)
        let landmarks = try #require(near.faces[0].landmarks)
        #expect(landmarks.points.allSatisfy { (2790...2828).contains($0.x) && (890...930).contains($0.y) })
        // For a region of nearly the whole image, the pass covers the whole image.
        let wide = try await plan {
            $0.options.region = Region(x: .pixels(0), y: .pixels(0), width: .pixels(3000), height: .pixels(2000))
        }
        #expect(wide.detector?.passes.count { $0.turn == 0 } == 2)
    }

    @Test func `the plan of a redaction lists the covered faces and the remaining detections`() async throws {
        let faces = [DrawnFace(x: 60, y: 100, side: 150), DrawnFace(x: 400, y: 150, side: 90)]
        let all = try await plan(.standard, faces) { $0.options.redaction = Redaction(style: .fill) }
        let audit = try #require(all.audit)
        #expect(audit.remaining.isEmpty)
        for face in faces {
            #expect(audit.covered.contains { $0.box.overlap(with: face.box) > 0.4 && $0.confidence > 0 })
        }
        // The face that is intentionally visible is not reported; other uncovered faces are.
        let others = try await plan(.standard, faces) { $0.options.redaction = Redaction(style: .blur, faces: .others) }
        #expect(others.audit?.remaining.isEmpty == true && others.audit?.covered.count == 1)
        let area = Region(x: .pixels(60), y: .pixels(60), width: .pixels(150), height: .pixels(200))
        let given = try await plan(.standard, faces) {
            $0.options.redaction = Redaction(style: .fill, faces: .numbers([1]), areas: [area])
        }
        #expect(given.audit?.covered.count == 1 && given.audit?.remaining.isEmpty == true)
        #expect(try await plan(.standard, faces) { _ in }.audit == nil)
    }

    @Test func `a blurred face has a lower sharpness than others, for every size and contrast`() async throws {
        let size = PixelSize(width: 1200, height: 600)
        let faces = [
            DrawnFace(x: 100, y: 150, side: 260), DrawnFace(x: 520, y: 180, side: 240),
            DrawnFace(x: 900, y: 200, side: 110),
        ]
        var luma = DrawnFace.luma(faces, size: size)
        // Detail that a blur can remove, in proportion to the face, with less contrast for one of the faces.
        for (index, face) in faces.enumerated() {
            let cell = max(1, face.box.width / 24)
            for y in face.box.rows {
                for x in face.box.columns {
                    let isDark = ((x - face.box.x) / cell + (y - face.box.y) / cell).isMultiple(of: 2)
                    let value = Int(luma[y * size.width + x]) + (isDark ? -8 : 8)
                    luma[y * size.width + x] = UInt8(clamping: index == 2 ? 128 + (value - 128) / 2 : value)
                }
            }
        }
        // The second face is blurred horizontally, then vertically.
        let reach = 20
        for stride in [1, size.width] {
            let before = luma
            for y in 50..<550 {
                for x in 460..<800 {
                    let middle = y * size.width + x
                    let sum = (-reach...reach).reduce(0) { $0 + Int(before[middle + $1 * stride]) }
                    luma[middle] = UInt8(sum / (2 * reach + 1))
                }
            }
        }
        let source = OddPNG(.gray).encode(size) { x, y, _ in Int(luma[y * size.width + x]) }
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 256 << 20)
        )
        let plan = try await service.run(FrameJob(source: source, target: .plan)).plan
        let sharpness = try faces.map { face in
            try #require(plan.faces.first { $0.box.overlap(with: face.box) > 0.4 }?.subject.sharpness)
        }
        #expect(sharpness[0] > 800 && sharpness[2] > 800 && sharpness[1] < 700, "\(sharpness)")
    }

    @Test func `the sharpness of a single face is not measured`() async throws {
        #expect(try await plan(.standard).faces.map(\.subject.sharpness) == [nil])
    }

    @Test func `the crop is the same for a JPEG decoded at any scale`() async throws {
        let image = DrawnImage(
            width: 2400,
            height: 1600,
            faces: [DrawnFace(x: 300, y: 400, side: 380), DrawnFace(x: 1500, y: 700, side: 120)]
        )
        let source = try image.jpeg()
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 4, maxBytesInFlight: 512 << 20)
        )
        var boxes: [[PixelRect]] = []
        for width in [Int?.none, 1200, 300, 60] {
            var job = FrameJob(source: source, target: .image(ImageOutput()))
            job.options.resultSize.width = width
            boxes.append(try await service.run(job).plan.faces.map(\.box))
        }
        boxes.append(try await service.run(FrameJob(source: source, target: .plan)).plan.faces.map(\.box))
        #expect(Set(boxes).count == 1 && boxes[0].count == 2)
    }
}
