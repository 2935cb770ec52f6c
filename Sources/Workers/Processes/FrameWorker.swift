import Admission
import BinaryCoding
import CLinux
package import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging
import Pipeline

/// The main loop of a worker process: one job after another, until its parent ends.
package enum FrameWorker {
    /// Turns this process into a worker.
    ///
    /// Must be called before anything else of the program starts: with one thread and no open files.
    ///
    /// - Parameter model: Loads the detector. It runs before the process enters the sandbox, and must read all files
    ///   and environment variables that the detector will need.
    package static func run(model: () throws -> FaceDetectorModel) -> Never {
        // The name in ps(1), top(1) and the kernel's messages; at most 15 bytes.
        hr_name_thread(name)
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
            let head = try BinaryCoder.bytes(of: greeting)
            // Set after the warm-up, because a replacement must be ready soon. nice(2) with a positive value needs no
            // privilege.
            _ = nice(niceness)
            try link.enterSandbox()
            link.greet(head)
        } catch {
            link.fail(error)
            exit(1)
        }
        while let request = link.next(releaseMemory: PlaneMemory.release) {
            if request.isFrame {
                reply(toFrame: request, link, &detector)
                continue
            }
            let outcome: JobOutcome
            do {
                outcome = try run(request, link, &detector)
            } catch {
                outcome = JobOutcome(error)
            }
            var images: [[UInt8]] = []
            let answer = WorkerAnswer(outcome, images: &images)
            // Encoding fails only for numbers that the detector returned.
            let head = (try? BinaryCoder.bytes(of: answer)) ?? Self.notEncodable
            link.reply(to: request, head: head, body: images)
        }
        exit(0)
    }

    /// The nice value of a worker: a third of the parent's share of a processor.
    ///
    /// The parent accepts, answers and refuses requests: it needs little processor time, but without delay.
    private static let niceness: Int32 = 5

    /// The name of the process.
    package static let name = "headroom-worker"

    private static let notEncodable: [UInt8] = {
        var images: [[UInt8]] = []
        let outcome = JobOutcome(.detector("the detector gave numbers that cannot be encoded"))
        let answer = WorkerAnswer(outcome, images: &images)
        return (try? BinaryCoder.bytes(of: answer)) ?? []
    }()

    private static func run(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> JobOutcome {
        let task = try job(WorkerRequest.self, in: request)
        let admitted = try MeasuredJob(
            task.job(with: request.body),
            limits: task.limits,
            smallestDetectableSide: detector.smallestDetectableSide,
            hasNetwork: detector is any NetworkDetector
        )
        guard link.ask(for: admitted.bytesNeeded, of: request) else { throw .cancelled }
        let context = JobContext(cancellation: Cancellation { link.isCancelled(request) })
        return admitted.run(context, detector: &detector)
    }

    private static func reply(
        toFrame request: WorkerLink.Request,
        _ link: WorkerLink,
        _ detector: inout any FaceDetector
    ) {
        let outcome: Result<VideoAnswer, PipelineError>
        do throws(PipelineError) {
            outcome = .success(try answer(request, link, &detector))
        } catch {
            outcome = .failure(error)
        }
        var bytes: [UInt8] = []
        let reply = VideoReply(outcome, bytes: &bytes)
        let unfit = VideoReply(.failure(.detector("the detector gave numbers that cannot be encoded")), bytes: &bytes)
        let head = (try? BinaryCoder.bytes(of: reply)) ?? (try? BinaryCoder.bytes(of: unfit)) ?? []
        link.reply(to: request, head: head, body: [bytes])
    }

    private static func answer(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> VideoAnswer {
        let task = try job(VideoRequest.self, in: request)
        let admitted = try MeasuredVideoJob(
            task.job(with: request.body),
            limits: task.limits,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        guard link.ask(for: admitted.bytesNeeded, of: request) else { throw .cancelled }
        let context = JobContext(cancellation: Cancellation { link.isCancelled(request) })
        return try admitted.run(detector: &detector, context)
    }

    private static func job<Job: Decodable>(
        _ type: Job.Type,
        in request: WorkerLink.Request
    ) throws(PipelineError) -> Job {
        do {
            return try BinaryCoder.value(type, from: request.head)
        } catch {
            throw .workerLost("a job could not be read: \(error)")
        }
    }

    /// Encodes and decodes every format and runs one detection pass, so that code and data that are loaded lazily are
    /// in memory before the process enters the sandbox.
    private static func warmUp(_ detector: inout any FaceDetector) throws {
        let image = try StartupCheck.picture()
        for format in ImageFormat.allCases {
            let source = try ImageEncoder.encode(image, as: format)
            let output = ImageOutput(format: format)
            var job = FrameJob(source: source, answer: .image(output))
            // The steps after decoding are the same for all formats, so one of them is enough for attention.
            job.options.framing.gravity = format == .jpeg ? .attention : .center
            job.options.framing.zoom = 1
            job.options.resultSize.width = StartupCheck.size.width / 3
            try rehearse(job, &detector)
        }
        for format in ImageFormat.allCases where format.keepsAnimation {
            var job = FrameJob(
                source: try StartupCheck.animation(format),
                answer: .image(ImageOutput(format: format))
            )
            job.options.framing.gravity = .center
            job.options.resultSize.width = StartupCheck.size.width / 2
            try rehearse(job, &detector)
        }
        // Formats that are only read.
        for source in SourceFormat.allCases.compactMap(\.sample) {
            var job = FrameJob(source: source, answer: .image(ImageOutput()))
            job.options.framing.gravity = .center
            try rehearse(job, &detector)
        }
        // One detection pass loads whatever a pass needs.
        let source = try ImageEncoder.encode(image, as: .jpeg)
        var job = FrameJob(source: source, answer: .debug(ImageOutput(), showsCrop: true))
        job.options.accuracy = .low
        try rehearse(job, &detector)
        _ = notEncodable
    }

    private static func rehearse(_ job: FrameJob, _ detector: inout any FaceDetector) throws {
        let request = try BinaryCoder.bytes(of: WorkerRequest(job, limits: PipelineLimits()))
        let task = try BinaryCoder.value(WorkerRequest.self, from: request)
        let admitted = try MeasuredJob(
            task.job(with: Array(WorkerRequest.body(of: job))),
            limits: task.limits,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        var images: [[UInt8]] = []
        let outcome = admitted.run(JobContext(), detector: &detector)
        _ = try outcome.result.get()
        let answer = WorkerAnswer(outcome, images: &images)
        _ = try BinaryCoder.value(WorkerAnswer.self, from: BinaryCoder.bytes(of: answer))
    }
}
