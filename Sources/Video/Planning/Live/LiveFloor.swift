import Framing
package import Geometry
package import Motion

/// Tracks the active speaker in a live image, for the layout ``Layout/hold``.
///
/// Each plan links people again, so the shown person is identified by place.
struct LiveFloor {
    /// The crop of a tick.
    struct Crop {
        var crop: FractionalRect
        var faces: Int
        /// The head of the active speaker; nil for none.
        var head: FractionalRect?
        /// The number of speaker changes up to and including this tick.
        var turn = 0
    }

    /// The maximum distance of a head from its last shown place, in widths of the head.
    private static let reach = 1.5

    private var head: FractionalRect?
    private var turn = 0
    /// Seconds since the last change.
    private var seconds = 0.0

    /// Shows a crop and returns whether the crop jumps to another person.
    mutating func show(_ crop: Crop, after passed: Double) -> Bool {
        seconds += passed
        if let head = crop.head { self.head = head }
        guard crop.turn != turn else { return false }
        (turn, seconds) = (crop.turn, 0)
        return true
    }

    /// Plans a crop for each of the given ticks, at least one.
    ///
    /// The samples may include earlier ticks. `known` is the last tick whose frame has arrived; nil if the shot ends
    /// with these ticks.
    func crops(
        _ frames: Range<Int>,
        samples: [FaceSample],
        known: Int?,
        after past: [Crop],
        _ planner: ShotPlanner
    ) -> [Crop] {
        let request = planner.request
        let shot = ShotTracks(samples, frames: frames, known: known, fps: request.fps, size: request.size)
        let chosen = Selection.tracks(request.framing.gravity, of: shot, in: request.size)
        let start = person(in: shot, at: frames.lowerBound).map { (person: $0, seconds: seconds) }
        let segments = HoldPlanner(request: request).segments(
            frames,
            shot,
            among: chosen,
            Speakers(shot, fps: request.fps, sound: nil),
            after: start,
            isOpen: known != nil
        )
        guard !segments.isEmpty else {
            let crops = planner.crops(frames, shot, of: chosen, samples: samples, after: past.map(\.crop))
            return crops.map { Crop(crop: $0.crop, faces: $0.faces, turn: turn) }
        }
        var crops: [Crop] = []
        // The first segment continues the shown crop, unless another person is the active speaker at once.
        let jumps = start.map { !segments[0].people.contains($0.person) } ?? false
        for (number, segment) in segments.enumerated() {
            let before = number > 0 || jumps ? [] : past.map(\.crop)
            let turn = turn + number + (jumps ? 1 : 0)
            let planned = planner.crops(segment.frames, shot, of: segment.people, samples: samples, after: before)
            crops += zip(segment.frames, planned).map { frame, crop in
                let head =
                    shot.lifetime(segment.person).contains(frame) ? shot.subject(segment.person, at: frame).head : nil
                return Crop(crop: crop.crop, faces: crop.faces, head: head, turn: turn)
            }
        }
        return crops
    }

    /// Returns the position of the shown person, found by the place of the head; nil if no head is near it.
    private func person(in shot: ShotTracks, at frame: Int) -> Int? {
        guard let head else { return nil }
        return shot.nearest(in: frame, within: Self.reach) { other in
            let across = other.x + other.width / 2 - head.x - head.width / 2
            let down = other.y + other.height / 2 - head.y - head.height / 2
            return (across * across + down * down).squareRoot() / max(1, head.width)
        }
    }
}

/// Schedules the face search in the frames of a live image.
///
/// A whole frame is searched once per second, and when a shot may have started. In between, the area around known faces
/// is searched five times a second, which is much faster.
package struct LiveSearch {
    /// The part of a frame that is searched.
    package enum Extent: Hashable, Sendable {
        case none
        case whole
        /// The surroundings of faces, in pixels.
        case near([PixelRect])
    }

    /// The time between two searches of a whole frame, in seconds.
    package static let wholeInterval = 1.0
    /// The time between two searches of a whole frame if a known face was not found near its last place, in seconds.
    package static let urgentInterval = 0.5
    /// The time between two searches near known faces, in seconds; people move by less than a head in this time.
    package static let nearInterval = 0.2

    /// The maximum time that a frame may be too early for a search, in seconds.
    private static let tolerance = 0.02

    private var shots: ShotDetector
    private var lastWhole: Double?
    private var last = 0.0
    private var known: [PixelRect] = []
    private var hasLost = false

    /// Creates a schedule for about `fps` frames per second.
    package init(fps: Double) { shots = ShotDetector(fps: fps, maxDelay: 0) }

    /// Returns the part of the next frame to search.
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
    /// - Returns: Whether the frame may begin a shot, so that the whole frame should be searched.
    package mutating func mayBeCut(_ thumbnail: Thumbnail) -> Bool {
        let mayBeCut = shots.add(thumbnail)
        _ = shots.starts()
        return mayBeCut
    }

    /// Records the result of a search.
    ///
    /// - Parameters:
    ///   - faces: The detected faces.
    ///   - extent: The searched part.
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
