package import Framing

/// Whether something that a detector hardly took for a face can be one.
///
/// Bark, clouds and fur have the shapes of faces, but not their colour; and as there are many more places for small
/// faces than for large ones, few of the large are there by chance. So the smaller a box is, the more skin it has to hold.
package struct FaceDoubt {
    /// The size of the image that boxes are in.
    let imageSize: PixelSize
    /// The boxes, in the image's pixels.
    let boxes: [PixelRect]

    package init(_ boxes: [PixelRect], in imageSize: PixelSize) {
        self.boxes = boxes
        self.imageSize = imageSize
    }

    /// How much skin there is in a face at least, of ``SkinTone``'s likelihood in the mean, times its width as a share of
    /// the image's shorter side.
    private static let leastSkin = 0.012
    /// A box wider than this share of the image's shorter side is large, whatever its colour.
    private static let large = 0.3
    /// Chroma that differs less from grey than this, in the mean, is none, and colour tells nothing.
    private static let leastChroma = 2

    /// Whether one of the boxes may well be a face's.
    ///
    /// - Parameters:
    ///   - luma: The image at a small size, in full-range BT.601 samples; so are both other planes.
    ///   - blue: Blue chroma.
    ///   - red: Red chroma.
    ///   - size: The small size, at least 1 by 1.
    ///   - bytesPerRow: From the beginning of one row to the next, in all three planes.
    /// - Returns: False where there is none, and where all are small and hold too little of the colour of skin.
    package func remains(
        luma: Span<UInt8>,
        blue: Span<UInt8>,
        red: Span<UInt8>,
        size: PixelSize,
        bytesPerRow: Int
    ) -> Bool {
        guard !boxes.isEmpty else { return false }
        if boxes.contains(where: { relativeWidth($0) > Self.large }) { return true }
        var chroma = 0
        for y in 0..<size.height {
            for at in (y * bytesPerRow)..<(y * bytesPerRow + size.width) {
                chroma += abs(Int(blue[at]) - 128) + abs(Int(red[at]) - 128)
            }
        }
        if chroma < 2 * Self.leastChroma * size.area { return true }
        return boxes.contains { box in
            let columns = Self.samples(from: box.x, to: box.maxX, of: imageSize.width, in: size.width)
            let rows = Self.samples(from: box.y, to: box.maxY, of: imageSize.height, in: size.height)
            var skin: Float = 0
            for y in rows {
                for at in (y * bytesPerRow + columns.lowerBound)..<(y * bytesPerRow + columns.upperBound) {
                    skin += SkinTone.likelihood(luma: luma[at], blue: blue[at], red: red[at])
                }
            }
            return Double(skin) * relativeWidth(box) > Self.leastSkin * Double(rows.count * columns.count)
        }
    }

    /// As a share of the image's shorter side.
    private func relativeWidth(_ box: PixelRect) -> Double { Double(box.width) / Double(imageSize.shortSide) }

    /// The samples that a stretch of pixels touches, at least one.
    private static func samples(from first: Int, to end: Int, of length: Int, in count: Int) -> Range<Int> {
        let low = min(max(0, first * count / length), count - 1)
        let high = min(max(low + 1, (end * count + length - 1) / length), count)
        return low..<high
    }
}
