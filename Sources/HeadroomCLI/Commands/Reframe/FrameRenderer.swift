import Framing
import Geometry
import Imaging
import Motion

/// Renders the crops of one shape.
struct FrameRenderer {
    /// A crop that moves by less, in pixels a frame, stands still, and begins at a whole pixel if it is not scaled.
    private static let still = 0.02

    /// The size of the result.
    let size: PixelSize
    private let picture: PixelSize
    private let layout: SampleLayout
    /// Whether a pixel of the result is a pixel of the widest crop.
    private let isUnscaled: Bool
    /// The last region, and where it was shown.
    private var last: (region: FractionalRect, shown: FractionalRect)?

    /// A renderer.
    ///
    /// - Parameters:
    ///   - header: The video.
    ///   - widest: The size of the widest crop.
    ///   - wanted: The requested sides of the result.
    init(_ header: Y4MHeader, widest: (width: Double, height: Double), wanted: (width: Int?, height: Int?)) {
        picture = header.size
        layout = header.layout
        isUnscaled = wanted.width == nil && wanted.height == nil
        let most = PixelSize(width: Y4MHeader.mostSide, height: Y4MHeader.mostSide)
        switch wanted {
        case (nil, nil): size = header.layout.evenSize(widest.width, widest.height, in: picture)
        case (let width?, let height?): size = PixelSize(width: width, height: height)
        case (let width?, nil):
            let height = Double(width) * widest.height / widest.width
            size = PixelSize(width: width, height: header.layout.evenSize(2, height, in: most).height)
        case (nil, let height?):
            let width = Double(height) * widest.width / widest.height
            size = PixelSize(width: header.layout.evenSize(width, 2, in: most).width, height: height)
        }
    }

    /// The part of the picture that is shown: the crop, or if nothing is scaled, as many pixels as the result has.
    func region(_ crop: FractionalRect, isWidest: Bool) -> FractionalRect {
        guard isUnscaled, isWidest else { return crop }
        let (width, height) = (Double(size.width), Double(size.height))
        let (x, y) = (crop.x + (crop.width - width) / 2, crop.y + (crop.height - height) / 2)
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: picture)
    }

    /// What a frame of the result shows, in the size of the result.
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

    /// Whether two panes are side by side.
    private var isWide: Bool { size.width >= size.height }

    /// The sizes of two panes, which whole samples of chroma divide.
    private func split(_ share: Double) -> (first: PixelSize, second: PixelSize) {
        let wanted =
            isWide
            ? (Double(size.width) * share, Double(size.height)) : (Double(size.width), Double(size.height) * share)
        let even = layout.evenSize(wanted.0, wanted.1, in: size)
        if isWide {
            let width = max(1, min(size.width - 1, even.width))
            return (
                PixelSize(width: width, height: size.height), PixelSize(width: size.width - width, height: size.height)
            )
        }
        let height = max(1, min(size.height - 1, even.height))
        return (
            PixelSize(width: size.width, height: height), PixelSize(width: size.width, height: size.height - height)
        )
    }

    /// The frame's part, scaled to the size of the result.
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

    /// Where an edge is shown: at a whole pixel if it stands still, and between two pixels at that where it was.
    private static func place(_ edge: Double, after last: Double, shown: Double) -> Double {
        guard abs(edge - last) < still else { return edge }
        return shown == shown.rounded() && abs(edge - shown) < 0.5 + still ? shown : edge.rounded()
    }
}
