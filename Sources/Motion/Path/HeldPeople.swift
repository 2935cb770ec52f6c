import Framing
import Geometry

/// What the people held in a frame ask of the crop.
struct HeldPeople {
    /// The crop of a still with these people: its size and its place.
    let aim: FractionalRect
    /// The rectangle that the crop must contain; nil if not even a face fits.
    let required: FractionalRect?

    /// People to hold in one frame; at least one.
    init(_ people: [PresentPerson], request: MotionRequest, widest: SlidingCrop) {
        var framing = request.framing
        framing.gravity = .faces
        framing.fit = .cover
        let subjects = people.map(\.subject).filter { $0.face.area > 0 && $0.head.area > 0 }
        let still = try? Framer.frame(subjects, in: request.size, aspect: request.aspect, request: framing)
        let area = still?.crop ?? PixelRect(request.size)
        aim = Self.exact(area, widest: widest, in: request.size)
        // The still has room for padding; what must be inside at any time are heads, or else faces.
        let (width, height) = (aim.width + 0.5, aim.height + 0.5)
        required = [people.map(\.core), people.map(\.face)].map { FractionalRect(around: $0) }
            .first { $0.width <= width && $0.height <= height }
    }

    /// A crop of whole pixels in the exact shape, with the same middle.
    private static func exact(_ crop: PixelRect, widest: SlidingCrop, in size: PixelSize) -> FractionalRect {
        let scale = min(
            1,
            crop.size.area == 0 ? 1 : max(Double(crop.width) / widest.width, Double(crop.height) / widest.height)
        )
        let (width, height) = (widest.width * scale, widest.height * scale)
        let x = Double(crop.x) + (Double(crop.width) - width) / 2
        let y = Double(crop.y) + (Double(crop.height) - height) / 2
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: size)
    }
}

extension FractionalRect {
    /// The smallest rectangle around others; there must be at least one.
    init(around boxes: [FractionalRect]) {
        let left = boxes.map(\.x).min() ?? 0
        let top = boxes.map(\.y).min() ?? 0
        let right = boxes.map { $0.x + $0.width }.max() ?? 0
        let bottom = boxes.map { $0.y + $0.height }.max() ?? 0
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}
