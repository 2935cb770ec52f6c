import Imaging
import Motion

extension RawFrame {
    var thumbnail: Thumbnail { Thumbnail(grid(columns: Thumbnail.width, rows: Thumbnail.height)) }
}
