import CImageCodec
import Geometry

extension hr_gif_frame {
    /// The frame's rectangle, which may extend beyond the screen.
    var rect: PixelRect { PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }
}
