extension FramingRequest {
    /// Whether the crop depends on an ``AttentionProfile``, which is not free to make.
    ///
    /// - Parameter subjects: The people in the image, as ``Framer/frame(_:in:aspect:request:attention:)`` gets them.
    /// - Returns: True when attention is asked for, or is the fallback and the people asked for are not there.
    package func needsAttention(for subjects: [Subject]) -> Bool {
        if fit == .pad { return false }
        if gravity == .attention { return true }
        return gravity.needsFaces && fallback == .attention && Framer.select(gravity, from: subjects).isEmpty
    }
}

extension Framer {
    /// At most this share of each side is given up for zoom: without faces nobody knows where the subject ends.
    private static let mostZoom = 1.0 / 3

    /// The crop that holds the most of what there is to look at, a little smaller than the widest when zoom is asked for.
    static func attentionCrop(
        _ profile: AttentionProfile,
        widest: PixelSize,
        aspect: AspectRatio?,
        zoom: Double,
        in size: PixelSize
    ) -> PixelRect {
        let (drawing, detail) = (profile.drawing, profile.detail)
        let across = AttentionSearch(
            drawing.columns,
            detail: detail.columns,
            imageLength: size.width,
            habit: .across(expecting: profile.expected)
        )
        let down = AttentionSearch(
            drawing.rows,
            detail: detail.rows,
            imageLength: size.height,
            habit: .down(expecting: profile.expected)
        )
        let crop = PixelRect(
            x: across.best(length: widest.width, startingIn: 0...(size.width - widest.width)),
            y: down.best(length: widest.height, startingIn: 0...(size.height - widest.height)),
            width: widest.width,
            height: widest.height
        )
        guard zoom > 0 else { return crop }
        let share = 1 - mostZoom
        let tight = PixelSize(
            width: max(1, Int((Double(widest.width) * share).rounded())),
            height: max(1, Int((Double(widest.height) * share).rounded()))
        )
        let zoomed = zoomedSize(from: widest, to: tight, aspect: aspect, zoom: zoom)
        // Inside the widest crop, so that zoom only ever takes away.
        return PixelRect(
            x: across.best(length: zoomed.width, startingIn: crop.x...(crop.maxX - zoomed.width)),
            y: down.best(length: zoomed.height, startingIn: crop.y...(crop.maxY - zoomed.height)),
            width: zoomed.width,
            height: zoomed.height
        )
    }
}
