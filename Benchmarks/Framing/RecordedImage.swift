import Framing
import Geometry

/// The recorded input of framing for one image.
struct RecordedImage: Codable {
    /// The path below the folder of images.
    var file: String
    /// The size of the upright image.
    var size: PixelSize
    /// The detected people, largest first.
    var people: [Subject]
    /// The attention profile; nil if people were found.
    var attention: Attention?

    /// The objects that the subject network found; nil if it was not run.
    var objects: [DetectedSubject]?

    /// The sums of an attention map.
    struct Attention: Codable {
        var columns: [Int]
        var rows: [Int]
        var detailColumns: [Int]
        var detailRows: [Int]

        init(_ profile: AttentionProfile) {
            columns = profile.columns
            rows = profile.rows
            detailColumns = profile.detailColumns
            detailRows = profile.detailRows
        }

        var profile: AttentionProfile {
            AttentionProfile(columns: columns, rows: rows, detailColumns: detailColumns, detailRows: detailRows)
        }
    }
}
