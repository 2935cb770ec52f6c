import Geometry

extension RawFrame {
    /// This frame with all pixels of the masks replaced, as of ``PlanarImage/redacted(_:as:)``.
    ///
    /// Samples of more than eight bits are replaced by such that have eight significant ones.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(_ masks: [RedactionMask], as style: RedactionStyle) throws(CodecError) -> RawFrame {
        let picture = try picture()
        let narrow = try picture.redacted(masks, as: style)
        guard layout.sampleBytes == 2 else { return RawFrame(size: size, layout: layout, planes: narrow.planes) }
        let blank = PlanarImage(
            size: size,
            colorModel: picture.colorModel,
            planes: try picture.planes.map { (plane) throws(CodecError) in try Plane(plane.size, filledWith: 0) }
        )
        // Grey is 128 in every plane, so what is not 0 is masked.
        let marks = try blank.redacted(masks, as: .fill)
        let shift = layout.depth - 8
        var results: [Plane] = []
        for (index, wide) in planes.enumerated() {
            let (samples, mark) = (narrow.planes[index], marks.planes[index])
            let copy = try Plane(unset: wide.size)
            for y in 0..<samples.size.height {
                let (from, to) = (wide.base + y * wide.bytesPerRow, copy.base + y * copy.bytesPerRow)
                for x in 0..<samples.size.width {
                    let isMasked = mark[x: x, y: y] != 0
                    let own = Int(from[2 * x]) | Int(from[2 * x + 1]) << 8
                    let value = isMasked ? Int(samples[x: x, y: y]) << shift : own
                    to[2 * x] = UInt8(value & 255)
                    to[2 * x + 1] = UInt8(value >> 8)
                }
            }
            results.append(copy)
        }
        return RawFrame(size: size, layout: layout, planes: results)
    }
}
