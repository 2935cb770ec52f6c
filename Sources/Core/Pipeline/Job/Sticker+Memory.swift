import Geometry
import Imaging

extension Sticker.Content {
    /// The memory of the decoded frames, in bytes.
    var bytes: Int {
        switch self {
        case .drawn(let drawn): drawn.size.area * drawn.count * 4
        // The files are the operator's, so their headers can be trusted. The limit of all frames bounds the pixels of
        // each file.
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
