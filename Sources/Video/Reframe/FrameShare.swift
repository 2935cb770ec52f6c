import Geometry

/// A part of a frame, in fractions of its sides.
package struct FrameShare: Hashable, Sendable {
    let left, top, width, height: Double

    /// A part from its left and top edges, width and height; nil if it is smaller than 0.01 or not within the frame.
    package init?(left: Double, top: Double, width: Double, height: Double) {
        guard left >= 0, top >= 0, width >= 0.01, height >= 0.01, left + width <= 1 + 1e-9, top + height <= 1 + 1e-9
        else { return nil }
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    /// The part in pixels of a frame of a size.
    func region(in size: PixelSize) -> FractionalRect {
        let (across, down) = (Double(size.width), Double(size.height))
        return FractionalRect(x: left * across, y: top * down, width: width * across, height: height * down)
            .clamped(to: size)
    }
}
