package import Framing
package import Geometry

/// One person within a shot: the sightings of the face, and the assumed places between them.
package struct Track {
    /// One sighting.
    package struct Point {
        package let frame: Int
        package let face: FractionalRect
        package let head: FractionalRect
        package let subject: Subject
        package let isSure: Bool
        /// The motion of the lips, as in ``FaceSighting/lips``; nil if it is not known.
        package let lips: Double?
    }

    /// The sightings by frame; never empty.
    package private(set) var points: [Point]

    /// Creates the track of a person with its first sighting, in a frame of the clip.
    package init(_ sighting: FaceSighting, frame: Int) {
        points = [Self.point(sighting, frame)]
    }

    package var first: Point { points[0] }
    package var last: Point { points[points.count - 1] }

    /// The motion between the last two sightings, in pixels per frame; nil for a single sighting.
    var velocity: (x: Double, y: Double)? {
        guard points.count > 1, points[points.count - 2].frame < last.frame else { return nil }
        return motion(from: points[points.count - 2])
    }

    /// Returns the mean motion over the last frames, in pixels per frame; nil for a single sighting.
    func drift(over frames: Int) -> (x: Double, y: Double)? {
        let earlier = points.filter { $0.frame < last.frame }
        return (earlier.first { last.frame - $0.frame <= frames } ?? earlier.last).map(motion)
    }

    /// Returns the mean motion from an earlier sighting to the last sighting, in pixels per frame.
    private func motion(from: Point) -> (x: Double, y: Double) {
        let time = Double(last.frame - from.frame)
        let across = last.face.x + last.face.width / 2 - from.face.x - from.face.width / 2
        let down = last.face.y + last.face.height / 2 - from.face.y - from.face.height / 2
        return (across / time, down / time)
    }

    /// Returns the mean squared distance between the centre of the face and the centre of the frame, in square pixels.
    func offCentre(of size: PixelSize) -> Double {
        let sum = points.reduce(0.0) { sum, point in
            let across = point.face.x + (point.face.width - Double(size.width)) / 2
            let down = point.face.y + (point.face.height - Double(size.height)) / 2
            return sum + across * across + down * down
        }
        return sum / Double(points.count)
    }

    /// The reliability of the person: the mean of all sightings, 0…1.
    var reliability: Double {
        Double(points.reduce(0) { $0 + $1.subject.reliability }) / Double(points.count * Subject.certain)
    }

    /// Returns the number of frames to the nearest sighting.
    func distance(toSighting frame: Int) -> Int {
        let later = sightings(until: frame)
        let before = later > 0 ? frame - points[later - 1].frame : Int.max
        return min(before, later < points.count ? points[later].frame - frame : Int.max)
    }

    /// The mean area of the face, in square pixels.
    package var area: Double { points.reduce(0) { $0 + $1.face.width * $1.face.height } / Double(points.count) }

    /// Adds a sighting in a later frame.
    package mutating func add(_ sighting: FaceSighting, frame: Int) { points.append(Self.point(sighting, frame)) }

    /// Returns the person in a frame: interpolated between sightings, and at the nearest sighting before the first or
    /// after the last.
    func subject(at frame: Int) -> (face: FractionalRect, head: FractionalRect) {
        let later = sightings(until: frame)
        if later == 0 { return (first.face, first.head) }
        let before = points[later - 1]
        guard later < points.count else { return (before.face, before.head) }
        let after = points[later]
        let share = Double(frame - before.frame) / Double(after.frame - before.frame)
        return (before.face.mixed(with: after.face, share: share), before.head.mixed(with: after.head, share: share))
    }

    /// Returns the number of sightings up to a frame.
    private func sightings(until frame: Int) -> Int { points.boundary { $0.frame > frame } }

    private static func point(_ sighting: FaceSighting, _ frame: Int) -> Point {
        Point(
            frame: frame,
            face: FractionalRect(sighting.subject.face),
            head: FractionalRect(sighting.subject.head),
            subject: sighting.subject,
            isSure: sighting.isSure,
            lips: sighting.lips
        )
    }
}
