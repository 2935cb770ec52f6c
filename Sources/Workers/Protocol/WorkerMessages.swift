import CSandbox
package import Pipeline

/// The properties of a worker process, sent when it is ready.
package struct WorkerGreeting: Codable, Sendable {
    package var detectorName: String
    /// The side of the smallest object that the detector finds, in pixels.
    package var smallestDetectableSide: Int
    /// The address space of the process before any job, in bytes.
    package var addressSpaceBytes: Int

    /// A greeting with the given properties.
    package init(detectorName: String, smallestDetectableSide: Int, addressSpaceBytes: Int) {
        self.detectorName = detectorName
        self.smallestDetectableSide = smallestDetectableSide
        self.addressSpaceBytes = addressSpaceBytes
    }

    /// Whether its numbers are small enough for arithmetic without overflow, and its name fits a header.
    ///
    /// A process has an address space of 47 or 48 bits; the thread sanitizer takes most of it.
    var isPlausible: Bool {
        (0...1 << 48).contains(addressSpaceBytes) && (1...1 << 15).contains(smallestDetectableSide)
            && detectorName.utf8.count <= 4096
    }
}

/// A job as it is sent to a worker process, without the bytes of source and backdrop, which are sent beside it.
///
/// The coding is synthesised, so it includes new parameters. Both sides are the same program, so the format needs no
/// versions.
package struct WorkerRequest: Codable, Sendable {
    private(set) var job: FrameJob
    let limits: PipelineLimits
    /// The number of the source's bytes; those of the backdrop follow.
    private let sourceBytes: Int

    init(_ job: FrameJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = SourceBytes([])
        sourceBytes = job.source.count
        if job.backdrop != nil { self.job.backdrop = SourceBytes([]) }
        self.limits = limits
    }

    /// The job, with the bytes that were sent beside it.
    package func job(with body: [UInt8]) -> FrameJob {
        var job = job
        if job.backdrop != nil, body.indices.contains(sourceBytes) {
            job.source = SourceBytes(body, in: 0..<sourceBytes)
            job.backdrop = SourceBytes(body, in: sourceBytes..<body.count)
        } else {
            job.source = SourceBytes(body)
        }
        return job
    }
}

/// A job with a frame of a video, as sent to a worker process; the bytes of the frame are sent beside it.
package struct VideoRequest: Codable, Sendable {
    private var job: VideoJob
    let limits: PipelineLimits

    init(_ job: VideoJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = SourceBytes([])
        self.limits = limits
    }

    /// The job, with the bytes that were sent beside it.
    package func job(with body: [UInt8]) -> VideoJob {
        var job = job
        job.source = SourceBytes(body)
        return job
    }
}

/// A worker process's answer to a ``VideoRequest`` without the bytes of the result, which follow it.
package struct VideoReply: Codable, Sendable {
    /// The answer without its bytes; nil for an error.
    private(set) var answer: VideoAnswer?
    /// The error; nil if there is an answer.
    private(set) var error: PipelineError?

    /// Encodes an outcome, and moves the bytes of its answer to `bytes`.
    package init(_ outcome: Result<VideoAnswer, PipelineError>, bytes: inout [UInt8]) {
        switch outcome {
        case .success(var answer):
            bytes = answer.bytes
            answer.bytes = []
            self.answer = answer
        case .failure(let error): self.error = error
        }
    }
}

/// A worker process's answer without the bytes of images, which follow it one after another.
package struct WorkerAnswer: Codable, Sendable {
    /// The result with empty images; nil for an error.
    private(set) var result: FrameResult?
    /// The length of each image in bytes: first `image` of ``FrameResult``, if there is one, then `images`.
    private(set) var imageBytes: [Int] = []
    /// The error; nil if there is a result.
    private(set) var error: PipelineError?
    /// The findings of the job's own search, whether there is a result or not.
    let findings: FaceFindings?

    /// Encodes an outcome, and appends the images of its result to `images`.
    package init(_ outcome: JobOutcome, images: inout [[UInt8]]) {
        findings = outcome.findings
        var stripped: FrameResult
        switch outcome.result {
        case .success(let result): stripped = result
        case .failure(let error):
            self.error = error
            return
        }
        if var image = stripped.image {
            Self.take(&image.bytes, &images)
            stripped.image = image
        }
        for index in stripped.images.indices { Self.take(&stripped.images[index].bytes, &images) }
        imageBytes = images.map(\.count)
        self.result = stripped
    }

    private static func take(_ bytes: inout [UInt8], _ images: inout [[UInt8]]) {
        images.append(bytes)
        bytes = []
    }
}

/// The kinds of messages between a worker process and its parent; payloads go through memory files.
enum WorkerMessage: UInt32 {
    /// From the worker: it is ready and sandboxed; the head is a ``WorkerGreeting``.
    case greeting = 1
    /// From the worker: it cannot work; the head is the reason as text, the value may be ``sandboxFailed``.
    case failure = 2
    /// To the worker: a job.
    case request = 3
    /// From the worker: the memory estimate of the job, in bytes.
    case estimate = 4
    /// To the worker: the memory may be used.
    case proceed = 5
    /// From the worker: the job is done.
    case reply = 6
    /// To the worker: the job's result is no longer needed.
    case cancel = 7
    /// To the worker: release the memory that is kept for the next job.
    case releaseMemory = 8
    /// To the worker: a job with a frame of a video.
    case frame = 9

    /// The value of ``failure`` when the system does not allow the sandbox.
    static let sandboxFailed: UInt64 = 1

    func message(job: UInt64 = 0, head: Int = 0, body: Int = 0, value: UInt64 = 0) -> hr_message {
        hr_message(version: 0, kind: rawValue, job: job, head: UInt64(head), body: UInt64(body), value: value)
    }
}
