package import Framing
package import Geometry
package import Imaging

/// The reason why a job has no result.
package enum PipelineError: Error, Codable, Sendable {
    /// The source cannot be decoded, or the result cannot be encoded.
    case codec(CodecError)
    /// The backdrop cannot be decoded.
    case backdrop(CodecError)
    /// The requested faces were not found, and the fallback is an error.
    case framing(FramingError)
    /// No face has the requested number.
    case noSuchFace(index: Int, found: Int)
    /// The result would exceed the pixel limit.
    case resultTooLarge(PixelSize, maxPixels: Int)
    /// The result would exceed the pixel limit of the requested format.
    case formatTooLarge(OutputFormat, PixelSize, maxPixels: Int)
    /// The images of all faces together would exceed the pixel limit.
    case portraitsTooLarge(pixels: Int, maxPixels: Int)
    /// The requested region starts outside the image; the value is the image's upright size.
    case regionOutside(PixelSize)
    /// A lossless crop was requested together with redaction, or from an image that does not support lossless crops.
    case notLossless(InputFormat)
    /// A video was requested, and the frames are not available for the reason.
    case noVideo(VideoObstacle)
    /// The detector failed; the text is for logs.
    case detector(String)
    /// The job could not start in time because too many jobs are waiting, or it got too little processor time.
    ///
    /// The value is the delay before a retry.
    case overloaded(retryAfter: Duration)
    /// The job needs more memory than the budget for all jobs.
    case tooMuchMemory(bytes: Int, limit: Int)
    /// The job took more processor time than the limit; it stopped between two stages.
    case tookTooLong(limit: Duration)
    /// The worker process ended during the job; the text is for logs.
    case workerLost(String)
    /// The same bytes recently ended a worker process; the value is the remaining time until they are accepted again.
    case sourceRefused(retryAfter: Duration)
    /// The result is no longer needed.
    case cancelled
}

extension PipelineError {
    /// Wraps an error; errors of this type stay unchanged, and errors of codecs become ``codec(_:)``.
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as PipelineError: error
            case let error as CodecError: .codec(error)
            default: .codec(.failed("\(error)"))
            }
    }
}

/// Returns the value of a codec expression and converts its error to ``PipelineError/codec(_:)``.
package func codec<Value>(_ step: @autoclosure () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    try codec(step)
}

/// Returns the value of several codec statements and converts their error to ``PipelineError/codec(_:)``.
package func codec<Value>(_ steps: () throws(CodecError) -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .codec(error) }
}

/// Returns the value of statements that use a detector or a model, and converts their error to
/// ``PipelineError/detector(_:)`` with the detector's name.
package func detecting<Value>(_ name: String, _ steps: () throws -> Value) throws(PipelineError) -> Value {
    do { return try steps() } catch { throw .detector("\(name): \(error)") }
}
