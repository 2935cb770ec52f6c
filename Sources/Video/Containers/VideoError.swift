/// The reasons why a video cannot be read.
package enum VideoError: Error, Hashable, Sendable {
    /// The format of the data is not supported; contains the first bytes as text.
    case unknownFormat(String)
    /// A header, or a line before a frame, violates the format.
    case invalid(String, expected: String)
    /// A valid video uses an unsupported feature.
    case unsupported(String, expected: String)
    /// The data end within a frame; frames are counted from 0.
    case incomplete(frame: Int, bytes: Int, of: Int)
    /// A frame is invalid; frames are counted from 0.
    case corrupt(frame: Int, String)
}

extension VideoError: CustomStringConvertible {
    /// One English sentence that contains the received and the expected value.
    package var description: String {
        switch self {
        case .unknownFormat(let text): "the data start with \(text); expected Y4M (YUV4MPEG2) or MJPEG"
        case .invalid(let received, let expected): "\(received) is not valid; expected \(expected)"
        case .unsupported(let received, let expected): "\(received) is not supported; expected \(expected)"
        case .incomplete(let frame, let bytes, let count):
            "frame \(frame) is incomplete: \(bytes) of \(count) bytes; expected whole frames"
        case .corrupt(let frame, let reason): "frame \(frame): \(reason)"
        }
    }
}
