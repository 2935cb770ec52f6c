import Geometry
import Imaging
import Motion

struct FrameRenderer {
    /// The minimum motion in pixels per frame.
    ///
    /// A crop that moves less stands still, and starts at a whole pixel if it is not scaled.
    private static let still = 0.02

    let size: PixelSize
    private let image: PixelSize
    private let layout: SampleLayout
    /// Whether one pixel of the output corresponds to one pixel of the widest crop.
    private let isUnscaled: Bool
    private var last: (region: FractionalRect, shown: FractionalRect)?

    /// A renderer; `wanted` are the requested sides of the output in pixels; a missing side follows from the aspect
    /// ratio of the widest crop.
    init(_ header: Y4MHeader, widest: (width: Double, height: Double), wanted: (width: Int?, height: Int?)) {
        image = header.size
        layout = header.layout
        isUnscaled = wanted.width == nil && wanted.height == nil
        let maximum = PixelSize(width: Y4MHeader.maxSide, height: Y4MHeader.maxSide)
        switch wanted {
        case (nil, nil): size = header.layout.evenSize(widest.width, widest.height, in: image)
        case (let width?, let height?): size = PixelSize(width: width, height: height)
        case (let width?, nil):
            let height = Double(width) * widest.height / widest.width
            size = PixelSize(width: width, height: header.layout.evenSize(2, height, in: maximum).height)
        case (nil, let height?):
            let width = Double(height) * widest.width / widest.height
            size = PixelSize(width: header.layout.evenSize(width, 2, in: maximum).width, height: height)
        }
    }

    /// The part of the image to render: the crop, or an area of exactly the output's size if the output is not scaled.
    func region(_ crop: FractionalRect, isWidest: Bool) -> FractionalRect {
        guard isUnscaled, isWidest else { return crop }
        let (width, height) = (Double(size.width), Double(size.height))
        let (x, y) = (crop.x + (crop.width - width) / 2, crop.y + (crop.height - height) / 2)
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: image)
    }

    mutating func render(_ frame: RawFrame, _ region: FractionalRect, _ panes: Panes) throws -> RawFrame {
        switch panes {
        case .one: return try render(frame, region)
        case .whole:
            last = nil
            return try frame.letterboxed(in: size)
        case .two(let second, let share):
            last = nil
            let (first, rest) = split(share)
            return try RawFrame.joined(
                try frame.resampled(region, to: first),
                try frame.resampled(second, to: rest),
                isWide: isWide
            )
        }
    }

    private var isWide: Bool { size.width >= size.height }

    /// The sizes of two panes; their border lies between two chroma samples.
    private func split(_ share: Double) -> (first: PixelSize, second: PixelSize) {
        let (width, height) = (Double(size.width), Double(size.height))
        let even = layout.evenSize(isWide ? width * share : width, isWide ? height : height * share, in: size)
        var (first, second) = (size, size)
        if isWide {
            first.width = max(1, min(size.width - 1, even.width))
            second.width -= first.width
        } else {
            first.height = max(1, min(size.height - 1, even.height))
            second.height -= first.height
        }
        return (first, second)
    }

    /// The part of the frame, scaled to the size of the output.
    private mutating func render(_ frame: RawFrame, _ region: FractionalRect) throws -> RawFrame {
        var shown = region
        if isUnscaled, let last {
            shown.x = Self.place(region.x, after: last.region.x, shown: last.shown.x)
            shown.y = Self.place(region.y, after: last.region.y, shown: last.shown.y)
        } else if isUnscaled {
            (shown.x, shown.y) = (region.x.rounded(), region.y.rounded())
        }
        last = (region, shown)
        return try frame.resampled(shown, to: size)
    }

    /// The rendered position of an edge.
    ///
    /// While the edge moves, this is `edge`. When the edge stands still, its position is rounded to a whole pixel, and
    /// kept until the edge is more than half a pixel away.
    private static func place(_ edge: Double, after last: Double, shown: Double) -> Double {
        guard abs(edge - last) < still else { return edge }
        return shown == shown.rounded() && abs(edge - shown) < 0.5 + still ? shown : edge.rounded()
    }
}
