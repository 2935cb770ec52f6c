import Geometry

extension FramingRequest {
    /// Returns the size of the crop before it is tightened.
    func widest(_ aspect: AspectRatio?, in size: PixelSize) -> PixelSize {
        guard let cropSize else { return aspect?.widestCrop(in: size) ?? size }
        return PixelSize(width: min(cropSize.width, size.width), height: min(cropSize.height, size.height))
    }

    /// Whether the crop depends on an ``AttentionProfile``, which takes time to compute.
    ///
    /// This is true if attention is requested, or if attention is the fallback and the requested people are missing in
    /// the image. It is false if the whole image is shown, or if a focal area is to be kept.
    package func needsAttention(for subjects: [Subject]) -> Bool {
        if fit.showsWhole || focal.contains(where: \.isKept) { return false }
        if gravity == .attention { return true }
        return gravity.needsFaces && fallback == .attention
            // The size affects which people the gravity selects, but not whether it selects any.
            && Framer.select(gravity, from: subjects, in: PixelSize(width: 1, height: 1)).isEmpty
    }

    /// Whether faces must be detected before the crop can be placed; false if nothing is cut off.
    package var needsFaces: Bool { !fit.showsWhole && gravity.needsFaces }
}
