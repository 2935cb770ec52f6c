package import Geometry
package import Imaging

/// The result of a job.
package struct FrameResult: Codable, Sendable {
    /// The encoded image; nil for a plan, or for a result with several images.
    package var image: EncodedImage?
    /// The image of each crop, in the order of the plan; empty for a plan, or for a result with one image.
    package var images: [EncodedImage] = []
    /// The faces, the crops and their decisions.
    package var plan: FramePlan
    /// The duration of each stage.
    package var times: StageTimes
}

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The format of the file.
    package var format: ImageFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// The size of the image in pixels.
    package var size: PixelSize
    /// The quality that was found for a limit of bytes; nil without a limit, and for lossless formats.
    package var quality: Int?

    init(format: ImageFormat, file: (bytes: [UInt8], quality: Int?), size: PixelSize) {
        self.format = format
        self.bytes = file.bytes
        self.size = size
        self.quality = file.quality
    }
}

/// The duration of each stage of a job.
package struct StageTimes: Codable, Sendable {
    /// Waiting for a worker.
    package var queue = Duration.zero
    /// Decoding the source, once or twice.
    package var decode = Duration.zero
    /// Scaling to the working size and detection.
    package var detect = Duration.zero
    /// Choosing the crops, with the attention map.
    package var frame = Duration.zero
    /// Cropping, scaling and encoding the result.
    package var encode = Duration.zero

    /// The names of stages, in the order of a job.
    package enum Stage: String, CaseIterable, Sendable {
        case queue, decode, detect, frame, encode
    }

    /// The time of every stage.
    package var all: [(stage: Stage, time: Duration)] {
        [(.queue, queue), (.decode, decode), (.detect, detect), (.frame, frame), (.encode, encode)]
    }

    /// The stages of this job; every job has a queue stage, but a plan, for example, has no encoding.
    package var spent: [(stage: Stage, time: Duration)] { all.filter { $0.stage == .queue || $0.time > .zero } }
}

/// The outcome of a job: a result or an error, and the findings of its own search.
package struct JobOutcome: Sendable {
    /// The findings of the job's own search, even if the job failed afterwards; nil if it made no search.
    package var findings: FaceFindings?
    /// The result or the error.
    package var result: Result<FrameResult, PipelineError>

    /// An outcome with the given findings.
    package init(findings: FaceFindings? = nil, result: Result<FrameResult, PipelineError>) {
        self.findings = findings
        self.result = result
    }

    /// An outcome that failed without findings.
    package init(_ error: PipelineError) { self.init(result: .failure(error)) }

    /// The same outcome, with the time of the wait for a worker.
    package func queued(for duration: Duration) -> JobOutcome {
        guard case .success(var result) = self.result else { return self }
        result.times.queue = duration
        return JobOutcome(findings: findings, result: .success(result))
    }
}
