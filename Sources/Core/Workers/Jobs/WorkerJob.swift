package import Admission
package import Pipeline

/// A kind of job that workers run, on threads or in processes.
///
/// First, a job is measured: the worker reads the image's header and reserves the memory that the job needs. Then the
/// job runs. A worker process receives a job as a ``Request``, with the bytes of its images as a separate body. It
/// returns the outcome as a head and the parts of a body. It runs the kinds of jobs that
/// ``FrameWorker/run(jobs:model:)`` lists.
package protocol WorkerJob: Sendable {
    /// The job as a message to a worker process, without the bytes of its images.
    associatedtype Request: JobRequest where Request.Job == Self
    /// The outcome of a job, which is a result or an error.
    associatedtype Outcome: Sendable

    /// The number that identifies this kind of job in messages to worker processes.
    ///
    /// ``FrameJob`` has 3, and other kinds have 9 or more.
    ///
    /// The remaining numbers identify other messages.
    static var kind: UInt32 { get }

    /// The image, before validation.
    ///
    /// It is quarantined if it ends worker processes.
    var source: SourceBytes { get }

    /// Bytes that are equal for equal requests about the image.
    ///
    /// A request that takes too long is quarantined.
    var requestBytes: [UInt8] { get }

    /// Whether the job has images other than ``source``.
    ///
    /// They may also be the reason why a process ended.
    var hasOtherImages: Bool { get }

    /// The expected processor time.
    ///
    /// Jobs of ``JobCost/high`` get at most half of the workers while other jobs are waiting.
    var cost: JobCost { get }

    /// The bytes that are sent with the request: the concatenated bytes of all images.
    var body: ArraySlice<UInt8> { get }

    /// Creates the request to a worker process, with the limits of the job.
    func request(_ limits: PipelineLimits) -> Request

    /// Reads the headers of the images on the worker's thread.
    ///
    /// - Parameters:
    ///   - limits: The limits on images and results.
    ///   - needs: The memory that the worker's search needs.
    /// - Returns: The work, with its memory estimate.
    /// - Throws: ``PipelineError`` if an image cannot be read, or a limit is exceeded.
    func measured(_ limits: PipelineLimits, _ needs: any SearchNeeds) throws(PipelineError) -> MeasuredWork<Outcome>

    /// Returns the outcome of a job that failed before its work started.
    static func failure(_ error: PipelineError) -> Outcome

    /// Whether an outcome contains a result.
    ///
    /// If so, the process works.
    static func isSuccess(_ outcome: Outcome) -> Bool

    /// Adds the time that the job waited for a worker to an outcome.
    ///
    /// By default, the outcome is unchanged.
    static func outcome(_ outcome: Outcome, waited: Duration) -> Outcome

    /// Encodes an outcome in the worker process.
    ///
    /// - Parameter outcome: The outcome of a job.
    /// - Returns: The head, and the parts of the body, which are concatenated.
    /// - Throws: An encoding error for numbers that cannot be encoded.
    static func reply(_ outcome: Outcome) throws -> (head: [UInt8], body: [[UInt8]])

    /// Decodes and validates the reply of a worker process.
    ///
    /// The image may have compromised the process.
    ///
    /// - Parameters:
    ///   - reply: The reply, before validation.
    ///   - limits: The limits of ``request(_:)``.
    ///   - detectorName: The name of the worker's detector.
    /// - Returns: An outcome whose numbers, sizes and types are possible for this job.
    /// - Throws: ``InvalidReply``, or an error of ``RawReply/body(at:count:)``.
    func outcome(of reply: RawReply, _ limits: PipelineLimits, detectorName: String) throws -> Outcome
}

extension WorkerJob {
    package var hasOtherImages: Bool { false }

    package var body: ArraySlice<UInt8> { source.slice }

    package static func outcome(_ outcome: Outcome, waited: Duration) -> Outcome { outcome }
}

/// A ``WorkerJob`` as a message to a worker process, without the bytes of its images.
///
/// Both sides are the same program, so the coding does not need versions.
package protocol JobRequest: Codable, Sendable {
    associatedtype Job

    /// The limits of the job.
    var limits: PipelineLimits { get }

    /// Creates the job from the request and the bytes that were sent with it.
    func job(with body: [UInt8]) -> Job
}

/// Work, with its memory estimate.
package struct MeasuredWork<Outcome> {
    /// The maximum memory use of the work, in bytes.
    package let bytesNeeded: Int
    private let work: (JobContext, inout any FaceSearch) -> Outcome

    /// Creates work that needs at most `bytesNeeded` bytes.
    ///
    /// - Parameters:
    ///   - bytesNeeded: The maximum memory use of the work, in bytes.
    ///   - work: Runs on the worker's thread with the worker's search. Stops early when its context is cancelled.
    package init(bytesNeeded: Int, _ work: @escaping (JobContext, inout any FaceSearch) -> Outcome) {
        self.bytesNeeded = bytesNeeded
        self.work = work
    }

    /// Runs the work on the calling thread.
    func run(_ context: JobContext, search: inout any FaceSearch) -> Outcome { work(context, &search) }
}
