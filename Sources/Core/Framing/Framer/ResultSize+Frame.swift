package import Geometry

extension ResultSize {
    /// Returns the size of a result, and the position of the crop in it.
    ///
    /// - Parameters:
    ///   - frame: The crop, possibly with bars.
    ///   - aspect: The requested aspect ratio.
    /// - Returns: The size, and the crop's rectangle in pixels of the result; without bars, the whole result.
    package func resolved(for frame: Frame, aspect: AspectRatio?) -> (size: PixelSize, image: PixelRect) {
        guard let letterbox = frame.letterbox else {
            let size =
                switch frame.decision {
                case .inside: inside(for: frame.crop.size)
                case .outside: outside(for: frame.crop.size)
                case .fill: filled(for: frame.crop.size, aspect: aspect)
                default: resolved(for: frame.crop.size, aspect: aspect)
                }
            return (size, PixelRect(size))
        }
        let size =
            letterbox.keepsAskedSize
            ? asked(for: letterbox.size, aspect: aspect) ?? letterbox.size
            : resolved(for: letterbox.size, aspect: aspect)
        return (size, letterbox.place(of: frame.crop.size, in: size, enlarging: allowsEnlargement))
    }
}
