package import Geometry

/// Assembles frames from parts of a frame.
extension RawFrame {
    /// Samples on the short side of the small image that becomes the blurred background.
    private static let blurredSide = 20.0

    /// Two frames above one another or side by side.
    ///
    /// - Parameters:
    ///   - first: The upper or left frame.
    ///   - second: The lower or right frame, with the same layout and the same width or height.
    ///   - isWide: Whether they are side by side.
    /// - Returns: A frame with both frames.
    /// - Throws: ``CodecError/outOfMemory``.
    package static func joined(_ first: RawFrame, _ second: RawFrame, isWide: Bool) throws(CodecError) -> RawFrame {
        precondition(first.layout == second.layout, "frames of one layout")
        let size =
            isWide
            ? PixelSize(width: first.size.width + second.size.width, height: first.size.height)
            : PixelSize(width: first.size.width, height: first.size.height + second.size.height)
        var joined = try RawFrame(unset: size, layout: first.layout)
        joined.draw(first, x: 0, y: 0)
        joined.draw(second, x: isWide ? first.size.width : 0, y: isWide ? 0 : first.size.height)
        return joined
    }

    /// The whole frame, centred on a blurred enlargement of its central part.
    ///
    /// - Parameter size: The size of the result, at least 2 by 2.
    /// - Returns: A frame of that size and of the same layout.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func letterboxed(in size: PixelSize) throws(CodecError) -> RawFrame {
        let (across, down) = (Double(self.size.width), Double(self.size.height))
        let scale = min(Double(size.width) / across, Double(size.height) / down)
        let inner = layout.evenSize(across * scale, down * scale, in: size)
        let image = try resampled(FractionalRect(PixelRect(self.size)), to: inner)
        if inner == size { return image }
        var result = try background(size)
        let (stepAcross, stepDown) = (layout.subsampling?.horizontal ?? 1, layout.subsampling?.vertical ?? 1)
        let x = (size.width - inner.width) / 2 / stepAcross * stepAcross
        let y = (size.height - inner.height) / 2 / stepDown * stepDown
        result.draw(image, x: x, y: y)
        return result
    }

    /// The centre of the frame in a different aspect ratio, without detail.
    private func background(_ size: PixelSize) throws(CodecError) -> RawFrame {
        let (across, down) = (Double(self.size.width), Double(self.size.height))
        let shape = Double(size.width) / Double(size.height)
        let (width, height) = across > down * shape ? (down * shape, down) : (across, across / shape)
        let middle = FractionalRect(x: (across - width) / 2, y: (down - height) / 2, width: width, height: height)
        let factor = Self.blurredSide / Double(min(size.width, size.height))
        let minimum = layout.evenSize(1, 1, in: size)
        let small = layout.evenSize(
            max(Double(minimum.width), Double(size.width) * factor),
            max(Double(minimum.height), Double(size.height) * factor),
            in: size
        )
        let reduced = try resampled(middle, to: small)
        return try reduced.resampled(FractionalRect(PixelRect(small)), to: size)
    }

    private init(unset size: PixelSize, layout: SampleLayout) throws(CodecError) {
        let planes = try layout.planeSizes(of: size).map { samples throws(CodecError) in
            try Plane(unset: PixelSize(width: samples.width * layout.sampleBytes, height: samples.height))
        }
        self.init(size: size, layout: layout, planes: planes)
    }

    /// Copies a frame of the same layout to a position that is a multiple of the subsampling.
    ///
    /// Call it only before the frame is shared.
    private mutating func draw(_ frame: RawFrame, x: Int, y: Int) {
        for (index, plane) in frame.planes.enumerated() {
            let across = index == 0 ? 1 : layout.subsampling?.horizontal ?? 1
            let down = index == 0 ? 1 : layout.subsampling?.vertical ?? 1
            let (left, top) = (x / across * layout.sampleBytes, y / down)
            let target = planes[index]
            let width = min(plane.size.width, target.size.width - left)
            for row in 0..<min(plane.size.height, target.size.height - top) {
                (target.base + (top + row) * target.bytesPerRow + left)
                    .update(from: plane.base + row * plane.bytesPerRow, count: width)
            }
        }
    }
}
