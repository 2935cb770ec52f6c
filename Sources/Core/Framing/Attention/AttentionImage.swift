package import Geometry

/// A small image to analyse, in full-range BT.601 luma and chroma.
package struct AttentionImage: Sendable {
    /// Columns and rows.
    package let size: PixelSize
    /// Luma, and blue and red chroma; 128 is grey.
    let luma, blue, red: [UInt8]

    /// Creates an image of three planes without padding, each with a sample for every pixel.
    ///
    /// - Parameters:
    ///   - luma: Row by row from the top left.
    ///   - blue: Blue chroma in the same order; 128 is grey.
    ///   - red: Red chroma in the same order; 128 is grey.
    ///   - size: At least 1 by 1, and at most ``maxPixels`` pixels.
    package init(luma: [UInt8], blue: [UInt8], red: [UInt8], size: PixelSize) {
        precondition(size.width > 0 && size.height > 0 && size.area <= Self.maxPixels, "a small image")
        precondition([luma, blue, red].allSatisfy { $0.count == size.area }, "a sample for every pixel")
        self.size = size
        self.luma = luma
        self.blue = blue
        self.red = red
    }

    /// The maximum number of pixels to analyse.
    package static let maxPixels = AttentionConstants.workingPixels

    /// Returns the size of the analysed image: with the same aspect ratio, and never enlarged.
    package static func workingSize(for image: PixelSize) -> PixelSize {
        let scale = min(1, (Double(maxPixels) / Double(image.area)).squareRoot())
        let width = min(max(1, Int((Double(image.width) * scale).rounded())), maxPixels)
        let height = max(1, Int((Double(image.height) * scale).rounded()))
        return PixelSize(width: width, height: min(height, maxPixels / width))
    }
}
