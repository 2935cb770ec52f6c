package import Admission
package import Pipeline

/// A kind of job that workers run, on threads or in processes.
///
/// A job is measured first: its header is read, and the memory that it needs is reserved. Then it runs. Between the
/// parent and a worker process, a job is a ``Request`` with the bytes of its images as a separate body, and its outcome
/// is a head and the parts of a body. A worker process runs the kinds that ``FrameWorker/run(jobs:model:)`` lists.
package protocol WorkerJob: Sendable {
    /// The job as a message to a worker process, without the bytes of its images.
    associatedtype Request: JobRequest where Request.Job == Self
    /// The outcome of a job: a result or an error.
    associatedtype Outcome: Sendable

    /// The number of the kind in messages to worker processes, different for each kind: 3 for ``FrameJob``, and 9 or
    /// more for others.
    ///
    /// Other messages use the remaining numbers.
    static var kind: UInt32 { get }

    /// The image, not checked yet; it is quarantined if it ends processes.
    var source: SourceBytes { get }

    /// Bytes that are equal for equal requests about the image; a request that takes too long is quarantined.
    var requestBytes: [UInt8] { get }

    /// Whether the job has images other than ``source``, which may also have ended a process.
    var hasOtherImages: Bool { get }

    /// The expected processor time: jobs of ``JobCost/high`` get at most half of the workers while other jobs wait.
    var cost: JobCost { get }

    /// The bytes that are sent with the request: the joined bytes of all images.
    var body: ArraySlice<UInt8> { get }

    /// Creates the request to a worker process, with the limits of the job.
    func request(_ limits: PipelineLimits) -> Request

    /// Reads the headers of the images, on the worker's thread.
    ///
    /// - Parameters:
    ///   - limits: The limits on images and results.
    ///   - needs: The needs of the worker's search.
    /// - Returns: The work, with the memory that it needs.
    /// - Throws: ``PipelineError`` if an image cannot be read, or a limit is exceeded.
    func measured(_ limits: PipelineLimits, _ needs: any SearchNeeds) throws(PipelineError) -> MeasuredWork<Outcome>

    /// Returns the outcome of a job that ended with an error before its work started.
    static func failure(_ error: PipelineError) -> Outcome

    /// Whether an outcome contains a result, which shows that its process works.
    static func isSuccess(_ outcome: Outcome) -> Bool

    /// Adds to an outcome the time that the job waited for a worker; by default the outcome is unchanged.
    static func outcome(_ outcome: Outcome, waited: Duration) -> Outcome

    /// Encodes an outcome in the worker process.
    ///
    /// - Parameter outcome: The outcome of a job.
    /// - Returns: The head, and the parts of the body, which are joined.
    /// - Throws: An error of the encoder, for numbers that cannot be encoded.
    static func reply(_ outcome: Outcome) throws -> (head: [UInt8], body: [[UInt8]])

    /// Decodes and checks the reply of a worker process, which its image may have compromised.
    ///
    /// - Parameters:
    ///   - reply: The reply, before any check.
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
/// Both sides are the same program, so its coding does not need versions.
package protocol JobRequest: Codable, Sendable {
    associatedtype Job

    /// The limits of the job.
    var limits: PipelineLimits { get }

    /// Creates the job, with the bytes that were sent with the request.
    func job(with body: [UInt8]) -> Job
}

/// Work with its memory estimate.
package struct MeasuredWork<Outcome> {
    /// The maximum memory use of the work, in bytes.
    package let bytesNeeded: Int
    private let work: (JobContext, inout any FaceSearch) -> Outcome

    /// Creates work that needs at most `bytesNeeded` bytes.
    ///
    /// - Parameters:
    ///   - bytesNeeded: The maximum memory use of the work, in bytes.
    ///   - work: Runs on the worker's thread with the worker's search, and stops early when its context is cancelled.
    package init(bytesNeeded: Int, _ work: @escaping (JobContext, inout any FaceSearch) -> Outcome) {
        self.bytesNeeded = bytesNeeded
        self.work = work
    }

    /// Runs the work on the calling thread.
    func run(_ context: JobContext, search: inout any FaceSearch) -> Outcome { work(context, &search) }
}
