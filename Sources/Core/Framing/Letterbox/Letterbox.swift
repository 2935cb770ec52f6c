package import Geometry
import TotalFunctions

/// The bars that give a result another aspect ratio than its crop.
package struct Letterbox: Hashable, Codable, Sendable {
    /// Crop and bars together, in pixels of the image; no side is shorter than the crop's.
    package var size: PixelSize
    /// The fraction of the bars at both sides that lies left of the crop, 0…1.
    package var left = 0.5
    /// The fraction of the bars above and below that lies above the crop, 0…1.
    package var above = 0.5
    /// Whether a result that would require enlargement keeps the requested size with larger bars.
    var keepsAskedSize = false

    /// Places the whole image in the requested aspect ratio: at the edge or corner of the gravity, or in the centre.
    ///
    /// Bars of at most two pixels in total are omitted.
    package init(whole size: PixelSize, aspect: AspectRatio, gravity: Gravity) {
        let smallest = Self.smallest(around: size, aspect: aspect)
        let hasShape =
            Self.isHair(smallest.width - size.width, of: smallest.width)
            && Self.isHair(smallest.height - size.height, of: smallest.height)
        self.size = hasShape ? size : smallest
        keepsAskedSize = true
        if let anchor = gravity.anchor { (left, above) = anchor }
    }

    /// Creates the smallest bars around a crop of `size`, equal on both sides.
    package init(around size: PixelSize, aspect: AspectRatio) {
        self.size = Self.smallest(around: size, aspect: aspect)
    }

    private static func smallest(around size: PixelSize, aspect: AspectRatio) -> PixelSize {
        if Double(size.width) >= Double(size.height) * aspect.value {
            return PixelSize(width: size.width, height: max(size.height, aspect.height(forWidth: size.width)))
        }
        return PixelSize(width: max(size.width, aspect.width(forHeight: size.height)), height: size.height)
    }

    /// Returns the rectangle of the crop in a result.
    ///
    /// With halved chroma, a sample that the crop and a bar share would cause a colour fringe. The crop therefore
    /// starts at even pixels unless it ends at the edge, and a scaled crop has even sides. Very narrow bars would look
    /// like an error, so the crop is scaled to cover them.
    ///
    /// - Parameters:
    ///   - crop: The crop's size, in pixels of the image.
    ///   - output: The size of the result.
    ///   - enlarging: Whether the crop may be enlarged.
    /// - Returns: A rectangle inside the result, in its pixels, at least 1 by 1.
    func place(of crop: PixelSize, in output: PixelSize, enlarging: Bool) -> PixelRect {
        let fitting = min(Double(output.width) / Double(size.width), Double(output.height) / Double(size.height))
        let scale = enlarging ? fitting : min(fitting, 1)
        let width = Self.length(crop.width, scale: scale, in: output.width)
        let height = Self.length(crop.height, scale: scale, in: output.height)
        return PixelRect(
            x: Self.start(slack: output.width - width, share: left),
            y: Self.start(slack: output.height - height, share: above),
            width: width,
            height: height
        )
    }

    private static func length(_ side: Int, scale: Double, in whole: Int) -> Int {
        let scaled = scale == 1 ? side : Int(clamping: (Double(side) * scale / 2).rounded()) * 2
        let length = min(max(1, scaled), whole)
        return isHair(whole - length, of: whole) ? whole : length
    }

    /// Whether bars are so narrow that rounding can cause them: at most two pixels in total, and a fiftieth of the
    /// whole.
    private static func isHair(_ bars: Int, of whole: Int) -> Bool { bars <= 2 && bars * 50 <= whole }

    private static func start(slack: Int, share: Double) -> Int {
        share == 1 ? slack : Int(clamping: Double(slack) * share) / 2 * 2
    }
}
