package import Framing
package import Geometry

/// The steadiest path of a crop along one axis that holds heads: still, linear and parabolic pieces.
///
/// Minimises the integral of the absolute velocity, acceleration and jerk, as in Grundmann, Kwatra and Essa,
/// "Auto-directed video stabilization with robust L1 optimal camera paths" (2011), plus the distance by which heads are
/// outside of the crop, plus the distance of the crop from its best place. All weights are for places in crop widths
/// and times in seconds, so that the path does not depend on the frame rate.
struct SmoothPath {
    /// The requirements of a frame on the place, in pixels.
    struct Demand {
        /// The places that keep the held heads whole; nil if no person is held.
        var held: ClosedRange<Double>?
        /// The best place for the held people.
        var aim: Double?
    }

    /// The weight of the velocity; other weights are relative to it.
    static let velocity = 10.0
    /// The weight of the acceleration: a start or a stop within a twentieth of a second.
    static let acceleration = 0.05
    /// The weight of the jerk: the motion begins and ends softly, within half a second.
    static let jerk = 0.75
    /// The weight of a head that is out by a crop width for a second.
    static let holding = 2000.0
    /// The weight of a distance of one crop width from the aim for a second; a motion pays after two seconds.
    static let centring = 6.0
    /// The weight of a place outside the picture; it exceeds all other weights.
    private static let bounds = 1e5
    /// The frames that are solved at once, and how many of them are kept; this bounds the memory for long shots.
    static let window = (solved: 1500, kept: 1000)

    /// The crop's width, in pixels: the unit of weights.
    let unit: Double
    /// The largest place in pixels.
    let room: Double
    let fps: Double

    /// The places of all frames, in pixels; up to three places before the first frame are continued.
    func places(_ demands: [Demand], after beginning: [Double] = []) -> [Double] {
        guard room > 0 else { return demands.map { _ in 0 } }
        var places = beginning
        let lead = beginning.count
        while places.count - lead < demands.count {
            let from = places.count - lead
            let to = min(demands.count, from + Self.window.solved)
            let piece = solved(Array(demands[from..<to]), after: Array(places.suffix(3)))
            places += piece.prefix(to == demands.count ? piece.count : Self.window.kept)
        }
        return Array(places.dropFirst(lead))
    }

    private func solved(_ demands: [Demand], after fixed: [Double]) -> [Double] {
        let lead = fixed.count
        let count = lead + demands.count
        var penalties = LinearPenalties(unknowns: count)
        for (index, place) in fixed.enumerated() {
            penalties.add(index, [1], offset: place / unit, above: Self.bounds, below: Self.bounds)
        }
        let orders: [([Double], Double)] = [
            ([-1, 1], Self.velocity),
            ([1, -2, 1], Self.acceleration * fps),
            ([-1, 3, -3, 1], Self.jerk * fps * fps),
        ]
        for (coefficients, weight) in orders where count >= coefficients.count {
            for start in 0...(count - coefficients.count) {
                penalties.add(start, coefficients, offset: 0, above: weight, below: weight)
            }
        }
        var start = fixed
        var last = fixed.last ?? demands.lazy.compactMap(\.aim).first ?? room / 2
        for (index, demand) in demands.enumerated() {
            let at = lead + index
            penalties.add(at, [1], offset: 0, above: 0, below: Self.bounds)
            penalties.add(at, [1], offset: room / unit, above: Self.bounds, below: 0)
            if let held = demand.held {
                penalties.add(at, [1], offset: held.upperBound / unit, above: Self.holding / fps, below: 0)
                penalties.add(at, [1], offset: held.lowerBound / unit, above: 0, below: Self.holding / fps)
            }
            if let aim = demand.aim {
                penalties.add(at, [1], offset: aim / unit, above: Self.centring / fps, below: Self.centring / fps)
                last = aim
            }
            start.append(last)
        }
        let solution = InteriorPoint.minimum(of: penalties, from: start.map { $0 / unit })
        return solution.dropFirst(lead).map { min(max($0 * unit, 0), room) }
    }
}

/// The requested properties of the crops of a moving picture.
package struct MotionRequest: Sendable {
    /// The size of a frame, in pixels.
    package var size: PixelSize
    /// Frames a second.
    package var fps: Double
    /// The shape of the crops.
    package var aspect: AspectRatio
    /// Gravity, fallback, zoom, padding and place, as for stills.
    package var framing: FramingRequest
    /// How people share the result.
    package var layout: Layout
    /// The part of the frame with a screen or slides, in pixels, which ``Layout/stack`` shows beside a person.
    package var screen: FractionalRect?

    package init(
        size: PixelSize,
        fps: Double,
        aspect: AspectRatio,
        framing: FramingRequest = FramingRequest(),
        layout: Layout = .follow,
        screen: FractionalRect? = nil
    ) {
        self.size = size
        self.fps = fps
        self.aspect = aspect
        self.framing = framing
        self.layout = layout
        self.screen = screen
    }

    /// The widest crop of the shape.
    var widest: SlidingCrop { SlidingCrop(aspect, in: size) }
}

/// The crop of one frame of a moving picture.
package struct PlannedFrame: Hashable, Sendable {
    /// The number of the frame, counted from 0.
    package var frame: Int
    /// The crop inside the picture, in fractions of pixels; of two panes the first one.
    package var crop: FractionalRect
    /// The parts of the picture that the result shows.
    package var panes: Panes
    /// Whether the crop jumps here: the frame begins a shot other than the first, or another person has the floor.
    package var isCut: Bool
    /// The number of the shot, counted from 0.
    package var shot: Int
    /// The number of people assumed in the frame.
    package var faces: Int

    package init(frame: Int, crop: FractionalRect, panes: Panes = .one, isCut: Bool, shot: Int, faces: Int) {
        self.frame = frame
        self.crop = crop
        self.panes = panes
        self.isCut = isCut
        self.shot = shot
        self.faces = faces
    }
}

/// How the people of a video share its result.
package enum Layout: String, CaseIterable, Codable, Sendable {
    /// One crop that holds as many heads as it can.
    case follow
    /// One crop that stays on a person until another has the floor.
    case hold
    /// Two people, or a person and a screen, above one another or side by side.
    case stack
    /// The whole picture on a blurred enlargement of itself.
    case wide
    /// One of the others for each shot.
    case auto
}

/// The parts of the picture in a frame of the result.
package enum Panes: Hashable, Sendable {
    /// The crop.
    case one
    /// The crop, which takes a share of the result, and below it (in a wide result on its right) another part.
    case two(FractionalRect, share: Double)
    /// The whole picture, on a blurred enlargement of its middle.
    case whole
}
