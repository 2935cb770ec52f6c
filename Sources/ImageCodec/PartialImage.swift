package import Framing

/// A picture of which only a part was decoded.
package struct PartialImage: Sendable {
    /// The part.
    package let image: PlanarImage
    /// The column of the whole picture in which the part begins.
    package let x: Int
    /// The row of the whole picture in which the part begins.
    package let y: Int
    /// The size of the whole picture at the same scale.
    package let wholeSize: PixelSize

    init(image: PlanarImage, x: Int, y: Int, wholeSize: PixelSize) {
        self.image = image
        self.x = x
        self.y = y
        self.wholeSize = wholeSize
    }

    /// The whole as a part of itself.
    package init(whole image: PlanarImage) {
        self.init(image: image, x: 0, y: 0, wholeSize: image.size)
    }
}
