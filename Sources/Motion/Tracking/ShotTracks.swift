import Framing
import Geometry

/// The people of one shot, in every frame of it.
struct ShotTracks {
    /// Seconds for which a face is assumed to stay where it was last seen, or to have been where it was first seen.
    static let lingering = 0.3
    /// Seconds without a sighting after which a face at the same place is another one.
    static let patience = 1.0
    /// The least share of the samples of its time in which a person must have been seen.
    static let leastSeen = 0.3
    /// The reliability above which a single sighting is a person.
    static let certainAlone = 0.97

    /// Seconds after a sighting in which a person counts in full.
    static let memory = 0.5
    /// The weight of a person who was not seen for longer.
    static let unseen = 0.6
    /// The weight of a person whose face the picture's edge cuts.
    static let atEdge = 0.5

    /// The tracks that are people.
    let tracks: [Track]
    private let fps: Double
    private let size: PixelSize
    private let frames: Range<Int>
    private let lifetimes: [Range<Int>]

    /// Links the samples of a shot.
    ///
    /// - Parameters:
    ///   - samples: The samples within the shot, in their order.
    ///   - frames: The frames of the shot.
    ///   - fps: Frames a second.
    ///   - size: The size of a frame.
    init(_ samples: [FaceSample], frames: Range<Int>, fps: Double, size: PixelSize) {
        var tracker = Tracker(patience: Int(Self.patience * fps))
        for sample in samples { tracker.add(sample) }
        let times = samples.map(\.frame)
        tracks = tracker.tracks.filter { track in
            let chances = times.count { $0 >= track.first.frame && $0 <= track.last.frame }
            if track.points.count == 1 { return times.count < 3 || track.reliability > Self.certainAlone }
            return Double(track.points.count) >= Self.leastSeen * Double(chances)
        }
        self.frames = frames
        self.fps = fps
        self.size = size
        let margin = Int(Self.lingering * fps)
        lifetimes = tracks.map { track in
            let start = Self.isLeaving(track.points.prefix(2).reversed(), size) ? 0 : margin
            let end = Self.isLeaving(Array(track.points.suffix(2)), size) ? 0 : margin
            let from = max(frames.lowerBound, track.first.frame - start)
            return from..<max(from + 1, min(frames.upperBound, track.last.frame + 1 + end))
        }
    }

    /// The weight of a person in a frame, 0…1: the reliability, less where the person was not found or the picture ends.
    func weight(_ index: Int, in frame: Int) -> Double {
        let track = tracks[index]
        let isSeen = Double(track.distance(toSighting: frame)) <= Self.memory * fps
        return track.reliability * (isSeen ? 1 : Self.unseen) * (isCut(track.subject(at: frame).face) ? Self.atEdge : 1)
    }

    /// Whether the picture's edge cuts a face; its upper edge cuts close faces, which count.
    private func isCut(_ face: FractionalRect) -> Bool {
        face.x <= 0.5 || face.x + face.width >= Double(size.width) - 0.5
            || face.y + face.height >= Double(size.height) - 0.5
    }

    /// The people in a frame: the positions in ``tracks``.
    func present(in frame: Int) -> [Int] { tracks.indices.filter { lifetimes[$0].contains(frame) } }

    /// Whether somebody is there at any time.
    var isEmpty: Bool { tracks.isEmpty }

    /// Whether the second of two sightings is at the picture's edge, and nearer to it: who leaves is not followed.
    private static func isLeaving(_ points: [Track.Point], _ size: PixelSize) -> Bool {
        guard let end = points.last?.head, let start = points.first?.head else { return false }
        let (left, right) = (end.x <= 1, end.x + end.width >= Double(size.width) - 1)
        return left && start.x > end.x + 1 || right && start.x < end.x - 1
    }
}
