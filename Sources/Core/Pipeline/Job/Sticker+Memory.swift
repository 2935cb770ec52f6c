import Geometry
import Imaging

extension Sticker.Content {
    /// The memory of the decoded frames, in bytes.
    var bytes: Int {
        switch self {
        case .drawn(let drawn): drawn.size.area * drawn.count * 4
        // These are the operator's own files, read by their headers; no frame counts for more than all may have
        // together.
        case .files(let files):
            min(
                Sticker.maxPixels,
                files.reduce(0) { sum, file in
                    let header = try? ImageHeader.read(file)
                    return sum + min(header?.animation?.pixels ?? header?.size.area ?? 0, Sticker.maxPixels)
                }
            ) * 4
        }
    }
}
