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
        var search: any FaceSearch
        do {
            let addressSpaceBytes = link.addressSpaceBytes
            search = try model().makeSearch()
            try warmUp(&search)
            let greeting = WorkerGreeting(
                detectorName: search.detectorName,
                smallestDetectableSide: search.needs.smallestDetectableSide,
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
            let (head, body) =
                request.isFrame ? frameReply(request, link, &search) : reply(request, link, &search)
            link.reply(to: request, head: head, body: body)
        }
        exit(0)
    }

    /// The nice value of a worker: a third of the parent's share of a processor.
    ///
    /// The parent accepts, answers and refuses requests: it needs little processor time, but without delay.
    private static let niceness: Int32 = 5

    package static let name = "headroom-worker"

    /// The error for numbers of a detector for which encoding fails.
    private static let unfit = PipelineError.detector("the detector gave numbers that cannot be encoded")

    private static func reply(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) -> (head: [UInt8], body: [[UInt8]]) {
        let outcome: JobOutcome
        do {
            outcome = try run(request, link, &search)
        } catch {
            outcome = JobOutcome(error)
        }
        var (images, none): ([[UInt8]], [[UInt8]]) = ([], [])
        let answer = WorkerReply(outcome, images: &images)
        return (head(answer, else: WorkerReply(JobOutcome(unfit), images: &none)), images)
    }

    private static func frameReply(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) -> (head: [UInt8], body: [[UInt8]]) {
        let outcome = Result { () throws(PipelineError) in try answer(request, link, &search) }
        var (bytes, none): ([UInt8], [UInt8]) = ([], [])
        let reply = VideoReply(outcome, bytes: &bytes)
        return (head(reply, else: VideoReply(.failure(unfit), bytes: &none)), [bytes])
    }

    private static func head<Reply: Encodable>(_ reply: Reply, else unfit: Reply) -> [UInt8] {
        (try? BinaryCoder.bytes(of: reply)) ?? (try? BinaryCoder.bytes(of: unfit)) ?? []
    }

    private static func run(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) throws(PipelineError) -> JobOutcome {
        let task = try job(WorkerRequest.self, in: request)
        let admitted = try MeasuredJob(
            task.job(with: request.body),
            limits: task.limits,
            needs: search.needs
        )
        guard link.ask(for: admitted.bytesNeeded, of: request) else { throw .cancelled }
        let context = JobContext(cancellation: Cancellation { link.isCancelled(request) })
        return admitted.run(context, search: &search)
    }

    private static func answer(
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) throws(PipelineError) -> VideoResult {
        let task = try job(VideoRequest.self, in: request)
        let admitted = try MeasuredVideoJob(
            task.job(with: request.body),
            limits: task.limits,
            smallestDetectableSide: search.needs.smallestDetectableSide
        )
        guard link.ask(for: admitted.bytesNeeded, of: request) else { throw .cancelled }
        let context = JobContext(cancellation: Cancellation { link.isCancelled(request) })
        return try admitted.run(search: &search, context)
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

    /// Does the job of the startup check once, so that what a detector loads at its first pass is there before the
    /// process enters the sandbox.
    ///
    /// No codec needs it: none opens a file or makes another system call that the sandbox denies.
    private static func warmUp(_ search: inout any FaceSearch) throws {
        let job = try MeasuredJob(
            StartupCheck.job.get(),
            limits: PipelineLimits(),
            needs: search.needs
        )
        _ = try job.run(JobContext(), search: &search).result.get()
    }
}
