package import FaceDetection
import Framing
import Glibc
import ImageCodec
import Isolation

/// What a worker process does: one job after another, from bytes to bytes, until its parent is gone.
package enum FrameWorker {
    /// Turns this process into a worker.
    ///
    /// Nothing else of the program may have started before: one thread, and nothing open.
    ///
    /// - Parameter model: Loads the detector, with files and environment still there; what it reads later it must read
    ///   here, for soon there is nothing to be read any more.
    package static func run(model: () throws -> FaceDetectorModel) -> Never {
        let link: WorkerLink
        do {
            link = try WorkerLink()
        } catch {
            let line = Array("Error: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(64)
        }
        var detector: any FaceDetector
        do {
            let addressSpaceBytes = link.addressSpaceBytes
            detector = try model().makeDetector()
            try warmUp(&detector)
            let greeting = WorkerGreeting(
                detectorName: detector.name,
                smallestDetectableSide: detector.smallestDetectableSide,
                addressSpaceBytes: max(addressSpaceBytes, link.addressSpaceBytes)
            )
            let head = try WorkerWire.bytes(of: greeting)
            // Not until here, for to be ready again soon is as urgent as anything. It cannot fail: it only gives way.
            _ = nice(niceness)
            try link.closeDoors()
            link.greet(head)
        } catch {
            link.fail(error)
            exit(1)
        }
        while let request = link.next(rest: PlaneMemory.release) {
            var images: [[UInt8]] = []
            var answer: WorkerAnswer
            var findings: FaceFindings?
            do {
                let result = try run(request, link, &detector) { findings = $0 }
                answer = WorkerAnswer(result, images: &images)
            } catch {
                answer = WorkerAnswer(error)
            }
            answer.findings = findings
            // Only a detector can have made numbers that no text stands for.
            let head = (try? WorkerWire.bytes(of: answer)) ?? Self.unspeakable
            link.reply(to: request, head: head, body: images)
        }
        exit(0)
    }

    /// How far a worker stands back behind the process that accepts, answers and refuses, which needs little of a processor
    /// but needs it at once: with this much (a third of its share) it has what it needs however long workers are busy.
    private static let niceness: Int32 = 5

    private static let unspeakable: [UInt8] = {
        let answer = WorkerAnswer(.detector("the detector gave numbers that cannot be told"))
        return (try? WorkerWire.bytes(of: answer)) ?? []
    }()

    private static func run(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ detector: inout any FaceDetector,
        found: (FaceFindings) -> Void
    ) throws(PipelineError) -> FrameResult {
        let task: WorkerRequest
        do {
            task = try WorkerWire.value(WorkerRequest.self, from: request.head)
        } catch {
            throw .workerLost("a job could not be read: \(error)")
        }
        let admitted = try AdmittedJob(
            task.job(with: request.body),
            limits: task.limits,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        guard link.ask(for: admitted.bytesNeeded, of: request) else { throw .cancelled }
        return try admitted.pipeline(Cancellation { link.isCancelled(request) }).run(detector: &detector, found: found)
    }

    /// Does a small job of every kind, so that whatever is loaded or looked up the first time is there before the doors
    /// close.
    private static func warmUp(_ detector: inout any FaceDetector) throws {
        let size = PixelSize(width: 96, height: 64)
        let planes = try (0..<3).map { index in try Plane(size) { x, y in UInt8((x * 2 + y * 3 + index * 40) % 128) } }
        let image = PlanarImage(size: size, colorModel: .rgb, planes: planes)
        for format in ImageFormat.allCases {
            let source = try ImageEncoder.encode(image, as: format)
            let output = ImageOutput(format: format)
            var job = FrameJob(source: source, answer: .image(output))
            job.framing.gravity = .attention
            job.framing.zoom = 1
            job.resultSize.width = size.width / 3
            try rehearse(job, &detector)
        }
        // One look at a picture finds whatever a look needs.
        let source = try ImageEncoder.encode(image, as: .jpeg)
        var job = FrameJob(source: source, answer: .debug(ImageOutput(), showsCrop: true))
        job.accuracy = .low
        try rehearse(job, &detector)
        _ = unspeakable
    }

    private static func rehearse(_ job: FrameJob, _ detector: inout any FaceDetector) throws {
        let request = try WorkerWire.bytes(of: WorkerRequest(job, limits: PipelineLimits()))
        let task = try WorkerWire.value(WorkerRequest.self, from: request)
        let admitted = try AdmittedJob(
            task.job(with: job.source),
            limits: task.limits,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        var images: [[UInt8]] = []
        var findings: FaceFindings?
        let result = try admitted.pipeline(Cancellation()).run(detector: &detector) { findings = $0 }
        var answer = WorkerAnswer(result, images: &images)
        answer.findings = findings
        _ = try WorkerWire.value(WorkerAnswer.self, from: WorkerWire.bytes(of: answer))
    }
}
