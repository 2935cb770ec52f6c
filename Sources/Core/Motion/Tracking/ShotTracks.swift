import Framing
package import Geometry

/// The people of one shot, in every frame of the shot.
package struct ShotTracks {
    /// The time in seconds before the first and after the last sighting.
    ///
    /// During this time, a face is assumed to stay at the place of that sighting.
    static let lingering = 0.3
    /// The maximum time between two sightings of one track, in seconds; after it, a face begins a new track.
    static let patience = 1.0
    /// The maximum time without a sighting, in seconds, before a person in a live image is assumed to have left.
    static let gone = 0.7
    /// The time span of the sightings used to extrapolate the motion of a person, in seconds.
    static let trend = 0.6
    /// The time in seconds until an extrapolated motion stops.
    static let coast = 0.5
    /// The minimum fraction of the samples between the first and the last sighting in which a person must be found.
    static let minVisible = 0.3
    /// The minimum reliability of a single sighting that counts as a person.
    static let certainAlone = 0.97

    /// The time after a sighting in which a person has the full weight, in seconds.
    static let memory = 0.5
    /// The factor of the weight of a person without a sighting within ``memory``.
    static let unseen = 0.6
    /// The factor of the weight of a person whose face is cut by the left, right or lower edge.
    ///
    /// The weight is low, so that the crop moves to keep a whole head instead.
    static let atEdge = 0.1
    /// The factor of the weight of a person whose face begins at the upper edge, like close faces; whole heads are
    /// preferred.
    static let atTop = 0.85

    /// The tracks that are people.
    package let tracks: [Track]
    /// The weight of each track by its size relative to the largest face, so that a crop that cannot hold all faces
    /// keeps larger faces.
    private let standings: [Double]
    private let fps: Double
    private let size: PixelSize
    private let frames: Range<Int>
    private let lifetimes: [Range<Int>]
    /// Whether more frames are expected after the known frames.
    private let isOpen: Bool

    /// Links the samples of a shot, which are in order.
    ///
    /// If later frames are expected, `known` is the last frame that has arrived; nil for a complete shot.
    package init(_ samples: [FaceSample], frames: Range<Int>, known: Int? = nil, fps: Double, size: PixelSize) {
        var tracker = Tracker(patience: Int(Self.patience * fps))
        for sample in samples { tracker.add(sample) }
        let times = samples.map(\.frame)
        let people = tracker.tracks.filter { track in
            let chances = times.count { $0 >= track.first.frame && $0 <= track.last.frame }
            if track.points.count == 1 { return times.count < 3 || track.reliability > Self.certainAlone }
            return Double(track.points.count) >= Self.minVisible * Double(chances)
        }
        self.init(people, frames: frames, known: known, fps: fps, size: size)
    }

    /// Creates the people from given tracks, for example the tracks of an earlier plan.
    package init(_ tracks: [Track], frames: Range<Int>, known: Int? = nil, fps: Double, size: PixelSize) {
        self.tracks = tracks
        let largest = tracks.map(\.area).max() ?? 1
        // Square roots are equal on all processors, but `pow` may differ.
        standings = tracks.map {
            ($0.area / max(largest, .leastNormalMagnitude)).squareRoot().squareRoot().squareRoot()
        }
        self.frames = frames
        isOpen = known != nil
        self.fps = fps
        self.size = size
        let margin = Int(Self.lingering * fps)
        lifetimes = tracks.map { track in
            let start = Self.isLeaving(track.points.prefix(2).reversed(), size) ? 0 : margin
            let end = Self.isLeaving(Array(track.points.suffix(2)), size) ? 0 : margin
            let from = max(frames.lowerBound, track.first.frame - start)
            let isThere = end > 0 && known.map { $0 - track.last.frame <= Int(Self.gone * fps) } ?? false
            let last = isThere ? frames.upperBound : min(frames.upperBound, track.last.frame + 1 + end)
            return from..<max(from, last)
        }
    }

    /// Returns the face and the head of a person in a frame.
    package func subject(_ index: Int, at frame: Int) -> (face: FractionalRect, head: FractionalRect) {
        let track = tracks[index]
        let (face, head) = track.subject(at: frame)
        let late = Double(frame - track.last.frame)
        guard isOpen, late > 0, let drift = track.drift(over: Int(Self.trend * fps)) else { return (face, head) }
        // The motion slows down evenly until the person stands still.
        let time = min(late, Self.coast * fps)
        let way = time - time * time / (2 * Self.coast * fps)
        return (face.moved(x: way * drift.x, y: way * drift.y), head.moved(x: way * drift.x, y: way * drift.y))
    }

    /// Returns the weight of a person in a frame, 0…1.
    ///
    /// This is the reliability, reduced for faces smaller than the largest face, for frames far from a sighting, and
    /// for faces at an edge of the image.
    package func weight(_ index: Int, in frame: Int) -> Double {
        let track = tracks[index]
        let isSeen = Double(track.distance(toSighting: frame)) <= Self.memory * fps
        return track.reliability * standings[index] * (isSeen ? 1 : Self.unseen)
            * wholeness(track.subject(at: frame).face)
    }

    /// Returns the factor of a person's weight for a face that an image edge cuts.
    private func wholeness(_ face: FractionalRect) -> Double {
        let isCut =
            face.x <= 0.5 || face.x + face.width >= Double(size.width) - 0.5
            || face.y + face.height >= Double(size.height) - 0.5
        return isCut ? Self.atEdge : face.y <= 0.5 ? Self.atTop : 1
    }

    /// Returns the frames in which a person is assumed to be present.
    package func lifetime(_ index: Int) -> Range<Int> { lifetimes[index] }

    /// Returns the importance of a person in the shot: the area of the face times the number of frames.
    package func importance(_ index: Int) -> Double { tracks[index].area * Double(lifetimes[index].count) }

    /// Returns the people in a frame, as positions in ``tracks``.
    package func present(in frame: Int) -> [Int] { tracks.indices.filter { lifetimes[$0].contains(frame) } }

    /// Returns the position of the person whose head has the minimum distance in a frame; nil if the distance exceeds
    /// `maximum`.
    package func nearest(in frame: Int, within maximum: Double, _ distance: (FractionalRect) -> Double) -> Int? {
        let near = present(in: frame).map { ($0, distance(subject($0, at: frame).head)) }.filter { $0.1 <= maximum }
        return near.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Whether the second of two sightings is at the left or right edge, and nearer to the edge than the first
    /// sighting.
    ///
    /// The crop does not follow a person who leaves.
    private static func isLeaving(_ points: [Track.Point], _ size: PixelSize) -> Bool {
        guard let end = points.last?.head, let start = points.first?.head else { return false }
        let (left, right) = (end.x <= 1, end.x + end.width >= Double(size.width) - 1)
        return left && start.x > end.x + 1 || right && start.x < end.x - 1
    }
}
