package import Geometry
package import Imaging
package import Pipeline

/// The masks of one frame of a video, and their style.
package struct FrameCover: Hashable, Codable, Sendable {
    /// The replacement of the pixels.
    let style: RedactionStyle
    /// The masks, in pixels of the upright frame.
    let masks: [RedactionMask]

    /// The maximum number of masks; a frame with more masks is covered completely.
    private static let maxMasks = 1024

    /// The masks of heads and of the areas in a redaction.
    ///
    /// - Parameters:
    ///   - redaction: The style, the outline and the areas.
    ///   - heads: The masks of heads; nil to cover the whole frame.
    ///   - size: The size of the upright frame.
    package init(_ redaction: Redaction, heads: [RedactionMask]?, size: PixelSize) {
        style = redaction.style
        let all = heads.map { redaction.masks(of: $0, in: size) }
        masks = all.flatMap { $0.count <= Self.maxMasks ? $0 : nil } ?? [RedactionMask(around: PixelRect(size))]
    }

    /// The frame with the masks applied.
    ///
    /// - Throws: `CodecError`.
    package func applied(to frame: RawFrame) throws -> RawFrame {
        masks.isEmpty ? frame : try frame.redacted(masks, as: style)
    }
}
