package import Geometry

/// Decides whether detections below the threshold can be faces.
///
/// Bark, clouds and fur have the shapes of faces but not their colour. There are many more windows for small faces
/// than for large ones, so few large detections are false. Therefore the smaller a box is, the more skin it must
/// contain.
package struct FacePlausibility {
    /// The size of the image that contains the boxes.
    let imageSize: PixelSize
    /// The boxes, in the image's pixels.
    let boxes: [PixelRect]

    package init(_ boxes: [PixelRect], in imageSize: PixelSize) {
        self.boxes = boxes
        self.imageSize = imageSize
    }

    /// The minimum of mean ``SkinTone`` likelihood times the box's width as a share of the image's shorter side.
    private static let leastSkin = 0.012
    /// A box wider than this share of the image's shorter side is accepted regardless of its colour.
    private static let large = 0.3
    /// A smaller mean difference of chroma from grey means that the picture has no colour to judge by.
    private static let leastChroma = 2

    /// Whether one of the boxes is plausibly a face.
    ///
    /// - Parameters:
    ///   - luma: The image at a small size, in full-range BT.601 samples; so are both other planes.
    ///   - blue: Blue chroma.
    ///   - red: Red chroma.
    ///   - size: The small size, at least 1 by 1.
    ///   - bytesPerRow: The distance between rows, in all three planes.
    /// - Returns: False if there are no boxes, or if all are small and contain too little of the colour of skin.
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

    /// The width as a share of the image's shorter side.
    private func relativeWidth(_ box: PixelRect) -> Double { Double(box.width) / Double(imageSize.shortSide) }

    /// The samples that an interval of pixels overlaps, at least one.
    private static func samples(from first: Int, to end: Int, of length: Int, in count: Int) -> Range<Int> {
        let low = min(max(0, first * count / length), count - 1)
        let high = min(max(low + 1, (end * count + length - 1) / length), count)
        return low..<high
    }
}
