package import Geometry

extension PartialImage {
    /// Returns this part with all pixels of the masks replaced.
    ///
    /// - Parameters:
    ///   - masks: In pixels of the whole image at the size of `source`.
    ///   - source: The size of the whole image to which the masks belong.
    ///   - style: The replacement of the pixels.
    /// - Returns: A copy.
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(
        _ masks: [RedactionMask],
        of source: PixelSize,
        as style: RedactionStyle
    ) throws(CodecError) -> PartialImage {
        let own = masks.map { $0.scaled(from: source, to: wholeSize, x: x, y: y) }
        return PartialImage(image: try image.redacted(own, as: style), x: x, y: y, wholeSize: wholeSize)
    }
}
