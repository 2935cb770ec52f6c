/// The reasons why a video cannot be cropped; ``ReframeConflict`` is for requests that do not fit the video.
package enum ReframeFailure: Error, Hashable, Sendable {
    /// A file, or standard input, cannot be opened, read, read again or written.
    case file(String, reason: String)
    /// A program, such as ffmpeg, is not installed.
    case missingProgram(String)
    /// A program cannot be started, or its output cannot be read.
    case program(String, reason: String)
    /// A program failed or was killed while it read or wrote a file.
    ///
    /// The status is the exit status, or 256 plus the number of the signal. The message is the last line of the
    /// program's standard error.
    case endedProgram(String, file: String, status: Int32, message: String)
    /// A file contains no video, or a video that is not supported.
    case video(String, reason: String)
    /// A plan is not valid, or is for another video.
    case plan(String, reason: String)
    /// A result cannot be written in the format of its file.
    case result(String, reason: String)
    /// The result of a frame was requested, but the frame was not searched; frames are counted from 0.
    case unsearchedFrame(Int)
}

extension ReframeFailure: CustomStringConvertible {
    /// One English sentence that starts with the file or the program.
    package var description: String {
        switch self {
        case .file(let name, let reason), .program(let name, let reason), .video(let name, let reason),
            .plan(let name, let reason), .result(let name, let reason):
            return "\(name): \(reason)"
        case .missingProgram(let name):
            return "\(name) is not installed, but is required for all formats except Y4M and MJPEG: install ffmpeg "
                + "(Debian: apt-get install ffmpeg), or pipe Y4M through headroom reframe"
        case .endedProgram(let name, let file, let status, let message):
            let end = status < 256 ? "ended with status \(status)" : "was ended by signal \(status - 256)"
            return "\(file): \(name) \(end)\(message.isEmpty ? "" : ": \(message)")"
        case .unsearchedFrame(let frame): return "frame \(frame) was not searched"
        }
    }
}
