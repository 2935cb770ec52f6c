package import Geometry
package import Imaging

/// An encoded image and its format.
package struct EncodedImage: Codable, Sendable {
    /// The format of the file.
    package var format: OutputFormat
    /// The file's bytes.
    package var bytes: [UInt8]
    /// The size of the image in pixels.
    package var size: PixelSize
    /// The quality that fits the byte limit; nil without a limit and for lossless formats.
    package var quality: Int?
    /// The format of the bytes if they are a video, which a program has encoded from the image; nil otherwise.
    ///
    /// Workers do not encode videos, so the value is not a part of their replies.
    package private(set) var video: VideoFormat?

    private enum CodingKeys: CodingKey { case format, bytes, size, quality }

    init(format: OutputFormat, file: (bytes: [UInt8], quality: Int?), size: PixelSize) {
        self.format = format
        self.bytes = file.bytes
        self.size = size
        self.quality = file.quality
    }

    /// The name of the format of the bytes in metrics.
    package var formatName: String { video?.rawValue ?? format.rawValue }

    /// Returns the video that was encoded from the image.
    package func encoded(as video: VideoFormat, _ bytes: [UInt8]) -> EncodedImage {
        var image = self
        image.video = video
        image.bytes = bytes
        return image
    }
}
