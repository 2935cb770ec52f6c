package import Geometry
package import Imaging

/// An image with drawn faces, as a file.
package struct DrawnImage: Sendable {
    /// The upright size.
    package var size: PixelSize
    /// The faces in drawing order.
    package var faces: [DrawnFace]
    /// The value of all channels of the background.
    package var background: UInt8 = 128

    /// An image of `width` by `height` pixels; without faces it is blank.
    package init(width: Int, height: Int, faces: [DrawnFace] = []) {
        size = PixelSize(width: width, height: height)
        self.faces = faces
    }

    /// The pixels.
    package func image() throws -> PlanarImage {
        let bytes = DrawnFace.rgb(faces, size: size, background: background)
        return try TestImage.rgb(size) { x, y in
            let first = (y * size.width + x) * 3
            return (bytes[first], bytes[first + 1], bytes[first + 2])
        }
    }

    /// A PNG file.
    package func png() throws -> [UInt8] { try ImageEncoder.encode(image(), as: .png) }

    /// A JPEG file.
    package func jpeg(quality: Int = 92) throws -> [UInt8] {
        try ImageEncoder.encode(image(), as: .jpeg, quality: quality)
    }

    /// A JPEG file as a camera held upright may store it: the image is rotated, and EXIF orientation 6 requires a
    /// clockwise rotation by 90°.
    package func sidewaysJPEG() throws -> [UInt8] {
        let bytes = DrawnFace.rgb(faces, size: size, background: background)
        let stored = try TestImage.rgb(PixelSize(width: size.height, height: size.width)) { x, y in
            let first = (x * size.width + size.width - 1 - y) * 3
            return (bytes[first], bytes[first + 1], bytes[first + 2])
        }
        return JPEGSegments.tagged(6, try ImageEncoder.encode(stored, as: .jpeg, quality: 92))
    }
}
