package import Geometry

/// Decides whether uncertain faces, which are detections below the threshold, can be faces.
///
/// Bark, clouds and fur have the shapes of faces but not their colour. The detector tests many more windows for small
/// faces than for large faces, so most false detections are small. A smaller box must therefore contain more skin.
package struct FacePlausibility {
    /// The size of the image that contains the boxes.
    private let imageSize: PixelSize
    /// The boxes, in pixels of the image.
    private let boxes: [PixelRect]

    /// Creates the check for the uncertain faces of one image.
    ///
    /// - Parameters:
    ///   - boxes: The detectors' boxes, in pixels of the image.
    ///   - imageSize: The size of the upright image; the small image of ``isAnyPlausible(in:)`` contains the whole
    ///     image.
    package init(_ boxes: [PixelRect], in imageSize: PixelSize) {
        self.boxes = boxes
        self.imageSize = imageSize
    }

    /// Whether at least one of the boxes is plausibly a face, judged by the whole image at a small size.
    ///
    /// False if there are no boxes, or if all boxes are small and contain too little skin colour.
    package func isAnyPlausible(in image: AttentionImage) -> Bool {
        guard !boxes.isEmpty else { return false }
        if boxes.contains(where: { relativeWidth($0) > AttentionConstants.largeFace }) { return true }
        return !hasColor(image) || boxes.contains { hasEnoughSkin($0, in: image) }
    }

    /// Whether colour can distinguish faces from other things.
    private func hasColor(_ image: AttentionImage) -> Bool {
        let chroma = (image.blue + image.red).reduce(0) { $0 + abs(Int($1) - 128) }
        return chroma >= 2 * AttentionConstants.minChroma * image.size.area
    }

    private func hasEnoughSkin(_ box: PixelRect, in image: AttentionImage) -> Bool {
        let columns = Self.samples(from: box.x, to: box.maxX, of: imageSize.width, in: image.size.width)
        let rows = Self.samples(from: box.y, to: box.maxY, of: imageSize.height, in: image.size.height)
        var skin: Float = 0
        for y in rows {
            for x in columns {
                let at = y * image.size.width + x
                skin += SkinTone.likelihood(luma: image.luma[at], blue: image.blue[at], red: image.red[at])
            }
        }
        return Double(skin) * relativeWidth(box) > AttentionConstants.minSkin * Double(rows.count * columns.count)
    }

    /// Returns the width as a fraction of the image's shorter side.
    private func relativeWidth(_ box: PixelRect) -> Double { Double(box.width) / Double(imageSize.shortSide) }

    /// Returns the samples that an interval of pixels overlaps, at least one.
    private static func samples(from first: Int, to end: Int, of length: Int, in count: Int) -> Range<Int> {
        let low = min(max(0, first * count / length), count - 1)
        let high = min(max(low + 1, (end * count + length - 1) / length), count)
        return low..<high
    }
}

/// The expected kind of subject of an image without detected faces; it selects the saliency and the position prior.
package enum ExpectedSubject: Hashable, Sendable, CaseIterable {
    /// People, if detection was not run or may have missed them: heads are high up, and skin counts.
    case people
    /// No people: a subject near the middle that differs from its background.
    case things
}
