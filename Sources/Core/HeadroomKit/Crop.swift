public import Geometry
import Pipeline

/// A cropped image.
public struct Crop: Sendable {
    /// The file.
    public let bytes: [UInt8]
    /// The media type of the file, such as `image/jpeg`.
    public let mediaType: String
    /// The usual file extension of the media type, for example `jpg`.
    public let fileExtension: String
    /// The size of the image in pixels.
    public let size: PixelSize
    /// The position of the crop, and the faces that it keeps.
    public let plan: PlannedCrop
}
