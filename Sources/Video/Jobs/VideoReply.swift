package import Pipeline

/// A worker process's reply to a ``VideoRequest``.
///
/// The bytes of the result follow the reply.
package struct VideoReply: Codable, Sendable {
    /// The result without its bytes; nil for an error.
    private(set) var result: VideoResult?
    /// The error; nil if there is a result.
    private(set) var error: PipelineError?

    /// Encodes an outcome, and moves the bytes of its result to `bytes`.
    package init(_ outcome: Result<VideoResult, PipelineError>, bytes: inout [UInt8]) {
        switch outcome {
        case .success(var result):
            bytes = result.bytes
            result.bytes = []
            self.result = result
        case .failure(let error): self.error = error
        }
    }
}
