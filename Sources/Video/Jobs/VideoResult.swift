package import Framing
package import Geometry
package import Pipeline

/// The result of a ``VideoJob``.
package struct VideoResult: Codable, Sendable {
    /// A face, and whether its score is above the detector's threshold.
    package struct Sighting: Codable, Hashable, Sendable {
        package let subject: Subject
        package let isSure: Bool
        /// Whether the head is estimated from a cut body, so that its size is not accurate.
        package var isEstimated = false
        /// The mouth; nil if it was not requested or is not visible.
        package var mouth: MouthPatch?
    }

    /// The size of the upright frame.
    package var size: PixelSize
    /// The samples with ``chroma`` for ``VideoJob/Task/decode``, or the JPEG for a render task.
    package var bytes: [UInt8] = []
    package var chroma: VideoChroma?
    /// The means of the grid cells: all luma first, then blue chroma, then red chroma.
    package var grid: [UInt8] = []
    /// The faces that were found.
    package var faces: [Sighting] = []
    /// The heads to redact, if they were requested.
    package var heads: [RedactedHead] = []
    /// The weights of an `AttentionProfile`: columns, rows, and weights of detail; empty unless computed.
    var weights: [[Int]] = []

    init(size: PixelSize) { self.size = size }

    /// The attention profile of the frame; nil unless the whole frame was searched without finding a sure face.
    package var attention: AttentionProfile? {
        weights.isEmpty
            ? nil
            : AttentionProfile(columns: weights[0], rows: weights[1], detailColumns: weights[2], detailRows: weights[3])
    }
}
