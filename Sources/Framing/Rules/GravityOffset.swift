package import Geometry

/// The distances of a crop from the edges at which its gravity places it, or from the middle.
///
/// From a right or lower edge they count inwards, else to the right and down.
package struct GravityOffset: Hashable, Codable, Sendable {
    /// A distance along one side.
    package enum Distance: Hashable, Codable, Sendable {
        /// Pixels.
        case pixels(Double)
        /// A share of the picture's side.
        case share(Double)

        /// The distance in pixels along a side of `side` pixels.
        ///
        /// - Parameters:
        ///   - side: The length of the side.
        ///   - ratio: Pixels of the side for each pixel of a distance.
        /// - Returns: The distance, not rounded.
        func pixels(of side: Double, ratio: Double) -> Double {
            switch self {
            case .pixels(let pixels): pixels * ratio
            case .share(let share): share * side
            }
        }
    }

    /// The distance along the width.
    package var across: Distance
    /// The distance along the height.
    package var down: Distance

    /// Creates an offset.
    package init(across: Distance, down: Distance) {
        self.across = across
        self.down = down
    }

    /// The first pixel of an interval in a side, in whole pixels; half pixels are rounded to even ones.
    ///
    /// - Parameters:
    ///   - distance: The distance from its place.
    ///   - side: The length of the side.
    ///   - length: The length of the interval.
    ///   - anchor: The share of the rest that lies before the interval.
    ///   - ratio: Pixels of the side for each pixel of a distance.
    /// - Returns: A start at which the interval lies inside the side, if it fits.
    static func start(
        _ distance: Distance,
        side: Double,
        length: Double,
        anchor: Double,
        ratio: Double = 1
    ) -> Double {
        let slack = max(0, side - length)
        let moved = distance.pixels(of: side, ratio: ratio)
        return min(max(0, (slack * anchor + (anchor == 1 ? -moved : moved)).rounded(.toNearestOrEven)), slack)
    }
}

extension FramingRequest {
    /// The corner of the crop at its ``offset``, in whole pixels of the scaled picture; nil without an offset.
    ///
    /// - Parameters:
    ///   - area: The size of the framed part of the image.
    ///   - result: The requested size.
    ///   - aspect: The shape of the crop.
    /// - Returns: The corner in pixels of the image.
    package func corner(in area: PixelSize, _ result: ResultSize, aspect: AspectRatio?) -> PixelPoint? {
        guard let offset, let anchor = gravity.anchor else { return nil }
        let crop = aspect?.widestCrop(in: area) ?? area
        let output = result.resolved(for: crop, aspect: aspect)
        func start(_ distance: GravityOffset.Distance, _ side: Int, _ crop: Int, _ output: Int, _ anchor: Double) -> Double {
            let scale = Double(output) / Double(crop)
            let scaled = (Double(side) * scale).rounded()
            let ratio = result.devicePixelRatio
            return GravityOffset.start(distance, side: scaled, length: Double(output), anchor: anchor, ratio: ratio)
                / scale
        }
        return PixelPoint(
            x: start(offset.across, area.width, crop.width, output.width, anchor.left),
            y: start(offset.down, area.height, crop.height, output.height, anchor.above)
        )
    }
}
