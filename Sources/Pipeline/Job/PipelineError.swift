package import Framing
package import Geometry
package import Imaging

/// Why a job has no result.
package enum PipelineError: Error, Codable, Sendable {
    /// The bytes are not an image that can be read.
    case codec(CodecError)
    /// The framing asked for faces that are not there, and for an error in that case.
    case framing(FramingError)
    /// One face was asked for by a number that no face has.
    case noSuchFace(index: Int, found: Int)
    /// The result would have more pixels than allowed.
    case resultTooLarge(PixelSize, mostPixels: Int)
    /// The pictures of all faces together would have more pixels than allowed.
    case portraitsTooLarge(pixels: Int, mostPixels: Int)
    /// A crop without loss was asked of a picture that has to be decoded for it.
    case notLossless(SourceFormat)
    /// The detector failed; the text is for the log.
    case detector(String)
    /// Too many jobs wait already for this one to have its turn in time; try again after so long.
    case overloaded(retryAfter: Duration)
    /// The job alone would need more memory than all jobs together may have.
    case tooMuchMemory(bytes: Int, limit: Int)
    /// The worker process that had the job is gone, and the job with it; the text is for the log.
    case workerLost(String)
    /// The same bytes ended a worker process not long ago; they are not tried again before this time has passed.
    case sourceRefused(retryAfter: Duration)
    /// Nobody waits for the result any more.
    case cancelled
}
