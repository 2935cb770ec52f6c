extension FractionalRect {
    /// Returns the rectangle, converted from an image of one size to the same image at another size, without rounding.
    package func stretched(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        let across = Double(other.width) / Double(size.width)
        let down = Double(other.height) / Double(size.height)
        return FractionalRect(x: x * across, y: y * down, width: width * across, height: height * down)
    }

    /// Returns the converted rectangle, moved into the other image and reduced if it does not fit.
    package func scaledAndClamped(from size: PixelSize, to other: PixelSize) -> FractionalRect {
        stretched(from: size, to: other).clamped(to: other)
    }

    /// The same rectangle in units of samples that each cover `horizontal` by `vertical` pixels.
    package func divided(horizontal: Int, vertical: Int) -> FractionalRect {
        let (across, down) = (Double(horizontal), Double(vertical))
        return FractionalRect(x: x / across, y: y / down, width: width / across, height: height / down)
    }
}
