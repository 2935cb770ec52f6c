import Foundation
import Geometry
import Requests

/// A part of a frame, as shares of its sides.
struct FrameShare: Hashable {
    let left: Double
    let top: Double
    let width: Double
    let height: Double

    /// `left,top,width,height`; nil if it is empty or not within the frame.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double(plainDecimal: String($0))
        }
        guard parts.count == 4, let left = parts[0], let top = parts[1], let width = parts[2], let height = parts[3],
            left >= 0, top >= 0, width >= 0.01, height >= 0.01, left + width <= 1 + 1e-9, top + height <= 1 + 1e-9
        else { return nil }
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The part in pixels.
    func region(in size: PixelSize) -> FractionalRect {
        let (across, down) = (Double(size.width), Double(size.height))
        return FractionalRect(x: left * across, y: top * down, width: width * across, height: height * down)
            .clamped(to: size)
    }
}
