package import Geometry

/// A decoded part of an image.
package struct PartialImage: Sendable {
    package let image: PlanarImage
    /// The first column and row of the part in the whole image.
    package let x, y: Int
    /// The size of the whole image at the same scale.
    package let wholeSize: PixelSize
}

extension PartialImage {
    /// Creates a part that consists of the whole image.
    package init(whole image: PlanarImage) { self.init(image: image, x: 0, y: 0, wholeSize: image.size) }
}
