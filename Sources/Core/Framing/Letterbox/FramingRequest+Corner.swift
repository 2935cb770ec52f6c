package import Geometry

extension FramingRequest {
    /// Returns the corner of the crop at its ``offset``, in whole pixels of the scaled image; nil without an offset.
    ///
    /// - Parameters:
    ///   - area: The size of the framed part of the image.
    ///   - result: The requested size.
    ///   - aspect: The aspect ratio of the crop.
    /// - Returns: The corner in pixels of `area`; nil without an offset.
    package func corner(in area: PixelSize, _ result: ResultSize, aspect: AspectRatio?) -> PixelPoint? {
        guard let offset, let anchor = gravity.anchor else { return nil }
        let crop = aspect?.widestCrop(in: area) ?? area
        let output = result.resolved(for: crop, aspect: aspect)
        func start(
            _ distance: GravityOffset.Distance,
            _ side: Int,
            _ crop: Int,
            _ output: Int,
            _ anchor: Double
        ) -> Double {
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
