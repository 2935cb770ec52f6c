package import Geometry

/// When frames of a live picture are searched for faces, and where.
///
/// All of a frame is searched where a shot may begin and every second; in between, only the surroundings of known faces,
/// five times a second, in a fraction of the time.
package struct LiveSearch {
    /// The part of a frame that is searched.
    package enum Extent: Hashable, Sendable {
        case none
        case whole
        /// The surroundings of faces, in pixels.
        case near([PixelRect])
    }

    /// Seconds between two searches of a whole frame.
    package static let wholeInterval = 1.0
    /// The same while a known face is not found where it was.
    package static let urgentInterval = 0.5
    /// Seconds between two searches near known faces, in which people move by less than a head.
    package static let nearInterval = 0.2

    /// Frames come a little early or late.
    private static let tolerance = 0.02

    private var shots: ShotDetector
    private var lastWhole: Double?
    private var last = 0.0
    private var known: [PixelRect] = []
    private var hasLost = false

    /// A schedule for about `fps` frames a second.
    package init(fps: Double) { shots = ShotDetector(fps: fps, mostDelay: 0) }

    /// The part of the next frame to search.
    ///
    /// - Parameter time: Seconds since any fixed time.
    /// - Returns: The part.
    package func extent(at time: Double) -> Extent {
        guard let lastWhole else { return .whole }
        let interval = hasLost ? Self.urgentInterval : Self.wholeInterval
        if time - lastWhole >= interval - Self.tolerance { return .whole }
        return !known.isEmpty && time - last >= Self.nearInterval - Self.tolerance ? .near(known) : .none
    }

    /// Adds the thumbnail of a frame.
    ///
    /// - Returns: Whether the frame may begin a shot, so that all of it should be searched.
    package mutating func mayBeCut(_ thumbnail: Thumbnail) -> Bool {
        let mayBeCut = shots.add(thumbnail)
        _ = shots.starts()
        return mayBeCut
    }

    /// Records the result of a search.
    ///
    /// - Parameters:
    ///   - faces: The faces that were found.
    ///   - extent: The part that was searched.
    ///   - time: The time of the frame, as for ``extent(at:)``.
    package mutating func found(_ faces: [PixelRect], in extent: Extent, at time: Double) {
        switch extent {
        case .none: return
        case .whole:
            (lastWhole, hasLost) = (time, false)
            known = faces
        case .near(let searched):
            hasLost = hasLost || faces.count < searched.count
            if !faces.isEmpty { known = faces }
        }
        last = time
    }
}
