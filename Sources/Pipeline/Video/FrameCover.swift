package import Geometry
package import Imaging

/// What is hidden in one frame of a video.
package struct FrameCover: Hashable, Codable, Sendable {
    /// What replaces the pixels.
    let style: RedactionStyle
    /// The masks, in pixels of the upright frame.
    let masks: [RedactionMask]

    /// The most masks; a frame with more is covered completely.
    private static let mostMasks = 1024

    /// The masks of heads, and those of the areas that a redaction names.
    ///
    /// - Parameters:
    ///   - redaction: What is hidden, and how.
    ///   - heads: The masks of heads; nil hides everything.
    ///   - size: The size of the upright frame.
    package init(_ redaction: Redaction, heads: [RedactionMask]?, size: PixelSize) {
        style = redaction.style
        let all = heads.map { redaction.masks(of: $0, in: size) }
        masks = all.flatMap { $0.count <= Self.mostMasks ? $0 : nil } ?? [RedactionMask(around: PixelRect(size))]
    }

    /// The frame without what is hidden.
    ///
    /// - Throws: `CodecError`.
    package func applied(to frame: RawFrame) throws -> RawFrame {
        masks.isEmpty ? frame : try frame.redacted(masks, as: style)
    }
}
