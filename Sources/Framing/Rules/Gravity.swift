/// The subject or position of a crop.
package enum Gravity: Hashable, Codable, Sendable {
    /// All faces: the crop keeps as many whole heads as possible.
    case faces
    /// The face with the largest box.
    case largest
    /// The face with the smallest box.
    case smallest
    /// The face nearest to the middle of the image.
    case centermost
    /// One face by its index in the list of faces, largest first; 1 is the first.
    case face(Int)
    /// The focal areas of the request alone, without face detection.
    case focus
    /// Attention, without face detection.
    case attention
    /// The middle, an edge or a corner of the image.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    /// A focal point, each coordinate 0…1 from the top left corner of the upright image.
    case point(x: Double, y: Double)

    /// The places of a crop that need no argument: edges, corners and the middle.
    package static let compass: [Gravity] = [
        .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight,
    ]

    /// Whether faces must be detected before the crop can be placed.
    package var needsFaces: Bool {
        switch self {
        case .faces, .largest, .smallest, .centermost, .face: true
        default: false
        }
    }

    /// The share of the slack left of and above a crop at one of the nine compass points; nil for other gravities.
    var anchor: (left: Double, above: Double)? {
        switch self {
        case .center: (0.5, 0.5)
        case .top: (0.5, 0)
        case .bottom: (0.5, 1)
        case .left: (0, 0.5)
        case .right: (1, 0.5)
        case .topLeft: (0, 0)
        case .topRight: (1, 0)
        case .bottomLeft: (0, 1)
        case .bottomRight: (1, 1)
        case .faces, .largest, .smallest, .centermost, .face, .focus, .attention, .point: nil
        }
    }
}

/// A rectangle that a crop should keep like a head, or avoid, chosen by the caller.
package struct FocalArea: Hashable, Codable, Sendable {
    /// The rectangle, of the upright picture.
    package var region: Region
    /// The value relative to a certain face, ``leastWeight`` to ``mostWeight``; the negative of such a number for an
    /// area to avoid.
    package var weight: Double

    /// Whether the area is to be kept, and not avoided.
    package var isKept: Bool { weight > 0 }

    /// The least weight.
    package static let leastWeight = 0.01
    /// The greatest weight.
    package static let mostWeight = 10.0

    package init(_ region: Region, weight: Double = 1) {
        self.region = region
        self.weight = weight
    }
}

/// The distances of a crop from the edges at which its gravity places it, or from the middle.
///
/// From a right or lower edge they count inwards, else to the right and down.
package struct GravityOffset: Hashable, Codable, Sendable {
    /// A distance along one side.
    package enum Distance: Hashable, Codable, Sendable {
        /// Pixels.
        case pixels(Double)
        /// A share of the picture's side.
        case share(Double)

        /// The distance in pixels, not rounded, along a side that has `ratio` pixels for each pixel of a distance.
        func pixels(of side: Double, ratio: Double) -> Double {
            switch self {
            case .pixels(let pixels): pixels * ratio
            case .share(let share): share * side
            }
        }
    }

    /// The distance along the width.
    package var across: Distance
    /// The distance along the height.
    package var down: Distance

    package init(across: Distance, down: Distance) {
        self.across = across
        self.down = down
    }

    /// The first pixel of an interval of `length` in a side, in whole pixels; half pixels are rounded to even ones.
    ///
    /// `anchor` is the share of the rest that lies before the interval. From there the distance counts, inwards if that
    /// is the end of the side. The interval stays inside the side, if it fits.
    static func start(_ distance: Distance, side: Double, length: Double, anchor: Double, ratio: Double = 1) -> Double {
        let slack = max(0, side - length)
        let moved = distance.pixels(of: side, ratio: ratio)
        return min(max(0, (slack * anchor + (anchor == 1 ? -moved : moved)).rounded(.toNearestOrEven)), slack)
    }
}
