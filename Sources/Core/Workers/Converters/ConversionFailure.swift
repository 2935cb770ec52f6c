package import Geometry
package import Pipeline

/// The reason why a file was not converted.
package enum ConversionFailure: Error, Sendable {
    /// The conversion did not start, because the queue is full, memory is not available, or the result is no longer
    /// needed.
    case rejected(PipelineError)
    /// The converter could not be started; the text is for logs.
    case notStarted(String)
    /// The converter reported a failure or crashed; the text is for logs.
    case failed(String)
    /// The conversion took too long.
    case timeout(Duration)
    /// The output is larger than the limit in bytes.
    case tooManyBytes(limit: Int)
    /// The output is larger than the limit in pixels.
    case tooManyPixels(PixelSize, limit: Int)
    /// The converter started too many threads.
    case tooManyThreads(limit: Int)
    /// The output is not an image of an accepted format.
    case invalidOutput
    /// The same conversion recently exceeded a limit.
    ///
    /// The value is the remaining time until it is allowed again.
    case quarantined(retryAfter: Duration)
}
