package import Framing
package import Geometry
package import Motion
package import Pipeline

/// The result of a ``VideoJob``.
package struct VideoResult: Codable, Sendable {
    /// A face, and whether its score is above the detector's threshold.
    package struct Sighting: Codable, Hashable, Sendable {
        package let subject: Subject
        package let isSure: Bool
        /// The mouth; nil unless it was asked for and is seen.
        package var mouth: MouthPatch?
    }

    /// The size of the upright frame.
    package var size: PixelSize
    /// The samples of a ``VideoJob/Task/decode`` with ``chroma``, or the JPEG of a render task.
    package var bytes: [UInt8] = []
    package var chroma: VideoChroma?
    /// The means of the cells, of luma, blue and red chroma one after the other.
    package var grid: [UInt8] = []
    /// The faces that were found.
    package var faces: [Sighting] = []
    /// The heads to redact, if they were asked for.
    package var heads: [RedactedHead] = []
    /// The weights of an `AttentionProfile`: columns, rows, and those of detail; empty unless it was computed.
    var weights: [[Int]] = []

    init(size: PixelSize) { self.size = size }

    /// Where attention lies in the frame; nil unless all of it was searched and shows no sure face.
    package var attention: AttentionProfile? {
        weights.isEmpty
            ? nil
            : AttentionProfile(columns: weights[0], rows: weights[1], detailColumns: weights[2], detailRows: weights[3])
    }
}
