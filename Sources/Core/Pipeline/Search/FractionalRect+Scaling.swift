package import Geometry

extension FractionalRect {
    /// Returns the rectangle, converted from an image of one size to the same image at another size.
    package func stretched(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        let across = Double(other.width) / Double(size.width)
        let down = Double(other.height) / Double(size.height)
        return FractionalRect(x: x * across, y: y * down, width: width * across, height: height * down)
    }

    /// Returns the converted rectangle, clamped to the other image.
    func scaled(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        stretched(from: size, to: other).clamped(to: other)
    }
}
