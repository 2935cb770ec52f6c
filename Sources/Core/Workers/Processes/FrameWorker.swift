import Admission
import BinaryCoding
import CLinux
package import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging
import Pipeline

/// The main loop of a worker process.
///
/// It runs one job after another until its parent ends.
package enum FrameWorker {
    /// Makes this process a worker.
    ///
    /// Must be called before the program does anything else, while it has one thread and no open files.
    ///
    /// - Parameters:
    ///   - jobs: The kinds of jobs that it runs in addition to ``FrameJob``.
    ///   - model: Loads the detector. The closure runs before the process enters the sandbox. It must read all files
    ///     and environment variables that the detector will need.
    package static func run(jobs: [any WorkerJob.Type] = [], model: () throws -> FaceDetectorModel) -> Never {
        // The process name in ps(1), top(1) and kernel messages, at most 15 bytes.
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
            // Set after the warm-up, because a replacement process must be ready soon. Calling nice(2) with a positive
            // value does not need privileges.
            _ = nice(niceness)
            try link.enterSandbox()
            link.greet(head)
        } catch {
            link.fail(error)
            exit(1)
        }
        let all: [any WorkerJob.Type] = [FrameJob.self] + jobs
        let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.kind, $0) })
        while let request = link.next(releaseMemory: PlaneMemory.release) {
            guard let kind = kinds[request.kind] else {
                // The parent reports the standard error of a process when the process ends.
                let line = Array("a job of kind \(request.kind), which it does not run\n".utf8)
                _ = write(STDERR_FILENO, line, line.count)
                exit(1)
            }
            let (head, body) = reply(kind, request, link, &search)
            link.reply(to: request, head: head, body: body)
        }
        exit(0)
    }

    /// The nice value of a worker.
    ///
    /// A worker gets a third of the parent's CPU weight.
    ///
    /// The parent accepts requests and sends responses. It needs little processor time, but it needs this time without
    /// delay.
    private static let niceness: Int32 = 5

    package static let name = "headroom-worker"

    /// The error for numbers from a detector that cannot be encoded.
    private static let unfit = PipelineError.detector("the detector returned numbers that cannot be encoded")

    private static func reply<Job: WorkerJob>(
        _ kind: Job.Type,
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) -> (head: [UInt8], body: [[UInt8]]) {
        let outcome: Job.Outcome
        do throws(PipelineError) {
            outcome = try run(kind, request, link, &search)
        } catch {
            outcome = kind.failure(error)
        }
        return (try? kind.reply(outcome)) ?? (try? kind.reply(kind.failure(unfit))) ?? ([], [])
    }

    private static func run<Job: WorkerJob>(
        _ kind: Job.Type,
        _ request: WorkerLink.Request,
        _ link: WorkerLink,
        _ search: inout any FaceSearch
    ) throws(PipelineError) -> Job.Outcome {
        let task: Job.Request
        do {
            task = try BinaryCoder.value(Job.Request.self, from: request.head)
        } catch {
            throw .workerLost("a job could not be read: \(error)")
        }
        let work = try task.job(with: request.body).measured(task.limits, search.needs)
        guard link.ask(for: work.bytesNeeded, of: request) else { throw .cancelled }
        let context = JobContext(cancellation: Cancellation { link.isCancelled(request) })
        return work.run(context, search: &search)
    }

    /// Runs the job of the startup check once.
    ///
    /// A detector therefore loads everything for its first pass before the process enters the sandbox.
    ///
    /// Codecs do not need a warm-up. They neither open files nor make other system calls that the sandbox denies.
    private static func warmUp(_ search: inout any FaceSearch) throws {
        let job = try MeasuredJob(
            StartupCheck.job.get(),
            limits: PipelineLimits(),
            needs: search.needs
        )
        _ = try job.run(JobContext(), search: &search).result.get()
    }
}
