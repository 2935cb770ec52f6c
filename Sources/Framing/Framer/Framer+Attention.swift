import Geometry

extension FramingRequest {
    /// Whether the crop depends on an ``AttentionProfile``, which takes time to compute.
    ///
    /// - Parameter subjects: The people in the image, as passed to ``Framer/frame(_:in:aspect:request:attention:)``.
    /// - Returns: True if attention is requested, or is the fallback and the requested people are missing.
    package func needsAttention(for subjects: [Subject]) -> Bool {
        if fit.showsWhole || !focal.isEmpty { return false }
        if gravity == .attention { return true }
        return gravity.needsFaces && fallback == .attention && Framer.select(gravity, from: subjects).isEmpty
    }
}

extension Framer {
    /// The crop with the most attention, somewhat smaller than the widest one if zoom is requested.
    static func attentionCrop(
        _ profile: AttentionProfile,
        widest: PixelSize,
        aspect: AspectRatio?,
        zoom: Double,
        in size: PixelSize
    ) -> PixelRect {
        let across = AttentionSearch(
            profile.columns,
            detail: profile.detailColumns,
            imageLength: size.width,
            axis: .across
        )
        let down = AttentionSearch(
            profile.rows,
            detail: profile.detailRows,
            imageLength: size.height,
            axis: .down
        )
        let crop = PixelRect(
            x: across.best(length: widest.width, startingIn: 0...(size.width - widest.width)),
            y: down.best(length: widest.height, startingIn: 0...(size.height - widest.height)),
            width: widest.width,
            height: widest.height
        )
        guard zoom > 0 else { return crop }
        let share = 1 - AttentionConstants.mostZoom
        let tight = PixelSize(
            width: max(1, Int((Double(widest.width) * share).rounded())),
            height: max(1, Int((Double(widest.height) * share).rounded()))
        )
        let zoomed = zoomedSize(from: widest, to: tight, aspect: aspect, zoom: zoom)
        // Inside the widest crop, so that zoom only removes parts of it.
        return PixelRect(
            x: across.best(length: zoomed.width, startingIn: crop.x...(crop.maxX - zoomed.width)),
            y: down.best(length: zoomed.height, startingIn: crop.y...(crop.maxY - zoomed.height)),
            width: zoomed.width,
            height: zoomed.height
        )
    }
}
