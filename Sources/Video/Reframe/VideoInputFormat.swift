/// The formats of a video that is read; the raw value is a word for messages.
package enum VideoInputFormat: String, Sendable {
    case y4m
    case mjpeg
    /// Any other format, which ffmpeg reads.
    case media
}
