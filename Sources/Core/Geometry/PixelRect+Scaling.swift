import TotalFunctions

extension PixelRect {
    /// Returns the rectangle, converted from an image of one size to the same image at another size, with every edge
    /// rounded to the nearest pixel.
    package func scaled(from size: PixelSize, to other: PixelSize) -> PixelRect {
        let acrossScale = Double(other.width) / Double(size.width)
        let downScale = Double(other.height) / Double(size.height)
        let left = Int(clamping: (Double(x) * acrossScale).rounded())
        let top = Int(clamping: (Double(y) * downScale).rounded())
        return PixelRect(
            x: left,
            y: top,
            width: Int(clamping: (Double(maxX) * acrossScale).rounded()) - left,
            height: Int(clamping: (Double(maxY) * downScale).rounded()) - top
        )
    }
}
