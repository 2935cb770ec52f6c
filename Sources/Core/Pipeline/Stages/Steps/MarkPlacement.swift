import Framing
package import Geometry

/// Finds the position of a watermark in a result: the requested position, or the nearest corner where it covers no
/// head.
package struct MarkPlacement {
    private let result: PixelSize
    private let size: PixelSize
    private let across: Int
    private let down: Int

    /// Creates the placement for the sizes of a watermark and a result.
    ///
    /// - Parameters:
    ///   - mark: The watermark.
    ///   - image: The size of the watermark's image.
    ///   - result: The size of the finished result.
    ///   - ratio: The device pixel ratio of the request.
    ///   - corners: The radii of the result's rounded corners, which the watermark avoids.
    package init(
        _ mark: Watermark,
        image: PixelSize,
        in result: PixelSize,
        ratio: Double = 1,
        corners: (across: Double, down: Double) = (0, 0)
    ) {
        let margin =
            switch mark.margin {
            case .share(let share): share * Double(result.shortSide)
            case .pixels(let pixels): Double(pixels) * ratio
            }
        // The corner of a rectangle touches the elliptic corner at this fraction of the ellipse's radii.
        let inset = 1 - 0.5.squareRoot()
        func bounded(_ margin: Double, _ side: Int) -> Int { Int(min(margin.rounded(.up), Double((side - 1) / 2))) }
        across = bounded(max(margin, corners.across * inset), result.width)
        down = bounded(max(margin, corners.down * inset), result.height)
        let room = (width: Double(result.width - 2 * across), height: Double(result.height - 2 * down))
        let wanted = min(mark.width * Double(result.width), room.width)
        let scale = min(wanted / Double(image.width), room.height / Double(image.height))
        func side(_ length: Int, _ room: Double) -> Int { Int(min(max(1, (Double(length) * scale).rounded()), room)) }
        size = PixelSize(width: side(image.width, room.width), height: side(image.height, room.height))
        self.result = result
    }

    /// Returns the rectangle at a position.
    package func rect(at place: Watermark.Place) -> PixelRect {
        let x =
            switch place {
            case .topLeft, .left, .bottomLeft: across
            case .top, .center, .bottom: (result.width - size.width) / 2
            case .topRight, .right, .bottomRight: result.width - across - size.width
            }
        let y =
            switch place {
            case .topLeft, .top, .topRight: down
            case .left, .center, .right: (result.height - size.height) / 2
            case .bottomLeft, .bottom, .bottomRight: result.height - down - size.height
            }
        return PixelRect(x: x, y: y, width: size.width, height: size.height)
    }

    /// Places the watermark at the requested position if it covers no head there, otherwise in the nearest corner where
    /// it covers none.
    ///
    /// If it covers a head at every position, it is placed where it covers the smallest area of heads.
    ///
    /// - Parameters:
    ///   - wanted: The requested position.
    ///   - heads: The heads, in pixels of the finished result.
    /// - Returns: The position.
    package func placed(at wanted: Watermark.Place, off heads: [PixelRect]) -> PlacedWatermark {
        func covered(_ place: Watermark.Place) -> Int {
            let rect = rect(at: place)
            return heads.reduce(0) { $0 + rect.intersection($1).area }
        }
        let own = rect(at: wanted)
        func distance(_ place: Watermark.Place) -> Int {
            let (x, y) = (rect(at: place).x - own.x, rect(at: place).y - own.y)
            return x * x + y * y
        }
        let others = Watermark.Place.corners.filter { $0 != wanted }.enumerated()
            .sorted { (distance($0.element), $0.offset) < (distance($1.element), $1.offset) }.map(\.element)
        let places = ([wanted] + others).map { (place: $0, covered: covered($0)) }
        let best = places.first { $0.covered == 0 } ?? places.min { $0.covered < $1.covered } ?? places[0]
        return PlacedWatermark(place: best.place, rect: rect(at: best.place), coversHead: best.covered > 0)
    }
}
