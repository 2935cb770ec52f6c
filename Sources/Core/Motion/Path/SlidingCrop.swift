package import Geometry

/// The widest crop of an aspect ratio, which slides along one axis of the image, in fractions of pixels.
package struct SlidingCrop: Sendable {
    /// The size of the image.
    package let image: PixelSize
    /// The width of the crop.
    package let width: Double
    /// The height of the crop.
    package let height: Double
    /// The axis along which the crop can move.
    package let axis: Axis

    /// Creates the widest crop of `aspect` in an image.
    package init(_ aspect: AspectRatio, in image: PixelSize) {
        let (across, down) = (Double(image.width), Double(image.height))
        self.image = image
        if across > down * aspect.value {
            (width, height, axis) = (down * aspect.value, down, .across)
        } else {
            (width, height, axis) = (across, across / aspect.value, .down)
        }
    }

    /// The crop's side along its axis.
    package var length: Double { axis == .across ? width : height }

    /// The maximum place: the image's side minus the crop's side.
    var room: Double { max(0, Double(axis == .across ? image.width : image.height) - length) }
}
