import BinaryCoding
import Framing
import Geometry
import Imaging
import Pipeline
import SystemLimits

/// A worker process that has sent its greeting.
///
/// It exchanges jobs with the parent.
struct ReadyProcess: Sendable {
    let process: WorkerProcess
    let greeting: WorkerGreeting
    /// Additional address space beyond the needs of the process and its job, in bytes.
    let spareBytes: Int
    /// Maximum address space of a process, in bytes.
    let maxAddressSpace: Int

    /// Waits for the greeting of a started process.
    ///
    /// Then runs the startup check inside the sandbox, under the resource limits of a job.
    ///
    /// - Throws: A ``WorkerExit``; the process has then been killed.
    init(
        _ process: WorkerProcess,
        startupCheck number: UInt64,
        _ configuration: ProcessConfiguration,
        maxAddressSpace: Int
    ) throws(WorkerExit) {
        // Done while the process starts, because the first encoding of a type is slow: Swift's runtime searches all
        // conformances in the program for the type.
        _ = try? BinaryCoder.bytes(of: WorkerRequest(StartupCheck.job.get(), limits: PipelineLimits()))
        let head = try process.greeting(within: configuration.startTimeout)
        guard let greeting = try? BinaryCoder.value(WorkerGreeting.self, from: head), greeting.isPlausible else {
            throw process.end(breach: "its greeting cannot be read")
        }
        self.process = process
        self.greeting = greeting
        spareBytes = configuration.spareBytes
        self.maxAddressSpace = maxAddressSpace
        try runStartupCheck(number, within: configuration.startTimeout)
    }

    private func runStartupCheck(_ number: UInt64, within timeLimit: Duration) throws(WorkerExit) {
        do {
            // The memory budget does not admit this job, because other jobs may exhaust the budget for a long time, and
            // the check needs little memory. The configured limits do not apply either, because the image of the check
            // may exceed them.
            let job = try StartupCheck.job.get()
            let outcome = try run(job, number, PipelineLimits(), within: timeLimit) { _ in .success(()) }
            _ = try outcome.result.get()
        } catch {
            process.end()
            let limits = ResourceLimit.inherited().map { "; the service inherited these hard limits: \($0)" } ?? ""
            let (cause, reason): (WorkerExit.Cause, String) =
                switch error {
                case let end as WorkerExit where end.cause == .environment: (.environment, "\(end)")
                case PipelineError.tooMuchMemory(let bytes, let limit):
                    (
                        .environment,
                        "it needs \(bytes >> 20) MiB of address space, but only \(max(0, limit) >> 20) MiB are left\(limits)"
                    )
                default: (.start, "\(error)\(limits)")
                }
            throw WorkerExit(cause, "the self-test of a worker process failed: \(reason)")
        }
    }

    /// Runs a job in the process.
    ///
    /// - Parameters:
    ///   - job: The job with its source.
    ///   - number: A number that is different for each job of the process.
    ///   - limits: The limits of the job.
    ///   - timeLimit: The time limit of the job; nil for the configured limit.
    ///   - admit: Receives the memory estimate of the job in bytes, and waits until this memory is available.
    /// - Returns: The job's outcome.
    /// - Throws: ``PipelineError`` if the job was not admitted, ``WorkerExit`` if the process failed.
    func run<Job: WorkerJob>(
        _ job: Job,
        _ number: UInt64,
        _ limits: PipelineLimits,
        within timeLimit: Duration? = nil,
        admit: (Int) -> Result<Void, PipelineError>
    ) throws -> Job.Outcome {
        let head: [UInt8]
        do {
            head = try BinaryCoder.bytes(of: job.request(limits))
        } catch {
            throw PipelineError.workerLost("the job cannot be encoded: \(error)")
        }
        let body = job.body
        let needed = greeting.addressSpaceBytes + 2 * body.count + head.count
        let base = needed + spareBytes
        // A job without enough address space would crash the process.
        guard needed <= maxAddressSpace else {
            throw PipelineError.tooMuchMemory(bytes: needed, limit: maxAddressSpace)
        }
        let reply = try process.perform(number, Job.kind, head: head, body: body, memory: base, within: timeLimit) {
            bytes in
            Result { () throws(PipelineError) in
                guard bytes <= maxAddressSpace - needed else {
                    throw .tooMuchMemory(bytes: bytes, limit: maxAddressSpace - needed)
                }
                try admit(bytes).get()
                return base + bytes
            }
        }
        .get()
        defer { if process.isRunning { process.forget() } }
        let raw = RawReply(head: reply.head, bodyBytes: reply.bodyBytes) { offset, count in
            try process.body(of: reply, at: offset, count: count)
        }
        do {
            return try job.outcome(of: raw, limits, detectorName: greeting.detectorName)
        } catch let error as InvalidReply {
            throw process.end(breach: "\(error)")
        }
    }
}

/// A small image and a job for it.
///
/// A worker runs the job before it enters the sandbox, and again inside.
enum StartupCheck {
    static let size = PixelSize(width: 48, height: 32)

    /// Returns a striped image with a Display P3 profile, so that the job converts colours.
    static func image() throws(CodecError) -> PlanarImage {
        let planes = try (0..<3).map { index throws(CodecError) in
            try Plane(size) { x, y in UInt8((x * 2 + y * 3 + index * 40) % 128) }
        }
        let displayP3 = ColorDescription(primaries: 12, transfer: 13)
        let profile = ICCProfile(displayP3, for: .rgb)
        return PlanarImage(size: size, colorModel: .rgb, planes: planes, iccProfile: profile)
    }

    /// A job that decodes, runs one detection pass and encodes.
    static let job = Result { () throws(CodecError) in
        let source = try ImageEncoder.encode(try image(), as: .jpeg)
        var job = FrameJob(source: source, target: .image(ImageOutput(format: .jpeg)))
        job.options.accuracy = .low
        job.options.resultSize.width = size.width / 2
        return job
    }
}
