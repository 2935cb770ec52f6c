package import FaceDetection
package import Workers

/// The program that runs ``ReframeRun``: its detector, its workers, its files and its display.
///
/// The run rethrows the errors of all functions.
package protocol ReframeHost {
    /// Loads the face detector.
    func model() throws -> FaceDetectorModel

    /// Starts a worker that decodes JPEGs.
    func jpegDecoder() throws -> WorkerService

    /// Returns the bytes of the plan in a file.
    func plan(at path: String) throws -> [UInt8]

    /// Writes bytes to standard output.
    func write(_ bytes: [UInt8]) throws

    /// Begins to count frames; `count` is the number of all frames, if it is known.
    func progress(_ work: ReframeWork, of count: Int?) -> any ReframeProgress
}

/// Work on frames; the raw value is a word for messages.
package enum ReframeWork: String, Sendable {
    /// Frames are searched for people.
    case searched
    /// Frames are rendered and written.
    case written
}

/// A count of frames, which a program may show.
package protocol ReframeProgress {
    /// Counts a frame.
    mutating func advance()

    /// Ends the count.
    func finish()
}
