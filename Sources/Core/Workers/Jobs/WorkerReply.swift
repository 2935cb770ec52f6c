package import Pipeline

/// A worker process's reply without the bytes of its images.
///
/// The bytes follow it, one image after another.
package struct WorkerReply: Codable, Sendable {
    /// The result, with empty images; nil for an error.
    private(set) var result: FrameResult?
    /// The length of each image in bytes, in the order of ``FrameResult``.
    private(set) var imageBytes: [Int] = []
    /// The error; nil with a result.
    private(set) var error: PipelineError?
    /// The result of the detection that this job ran, even if the job itself failed.
    let findings: DetectionResult?

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
        for index in stripped.images.indices {
            images.append(stripped.images[index].bytes)
            stripped.images[index].bytes = []
        }
        imageBytes = images.map(\.count)
        self.result = stripped
    }
}
