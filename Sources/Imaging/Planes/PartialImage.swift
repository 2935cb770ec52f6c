package import Geometry

/// A decoded part of a picture.
package struct PartialImage: Sendable {
    /// The part.
    package let image: PlanarImage
    /// The first column of the part in the whole picture.
    package let x: Int
    /// The first row of the part in the whole picture.
    package let y: Int
    /// The size of the whole picture at the same scale.
    package let wholeSize: PixelSize

    init(image: PlanarImage, x: Int, y: Int, wholeSize: PixelSize) {
        self.image = image
        self.x = x
        self.y = y
        self.wholeSize = wholeSize
    }

    /// A whole picture as a part of itself.
    package init(whole image: PlanarImage) {
        self.init(image: image, x: 0, y: 0, wholeSize: image.size)
    }
}
