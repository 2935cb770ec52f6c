import Framing
package import Geometry

/// Links the detections of successive samples to tracks.
///
/// A sighting continues the track whose last or extrapolated face is nearest in position and size. Pairs are linked in
/// the order of their distances, certain faces before other sightings, so the result does not depend on the
/// order of detections.
package struct Tracker {
    /// The maximum distance of a face from its last sighting, in sides of the face.
    ///
    /// At five samples per second, a person who walks past moves by less than this, and two people who sit side by side
    /// are farther apart.
    static let reach = 0.8
    /// The maximum change of a face's side between two sightings, as a factor.
    static let maxGrowth = 1.6
    /// The maximum ratio of a face's side to the side of a face that is estimated from a body.
    ///
    /// In a close-up, the visible part of a body is less than two heads high, and the estimated head is too small.
    private static let maxEstimateError = 4.0

    /// The maximum number of frames between two sightings of a track.
    let patience: Int
    /// All tracks of the shot, in the order of their first sightings.
    private(set) var tracks: [Track] = []
    private var active: [Int] = []

    init(patience: Int) { self.patience = patience }

    /// Adds the detections of a later frame.
    mutating func add(_ sample: FaceSample) {
        active.removeAll { sample.frame - tracks[$0].last.frame > patience }
        var pairs: [(distance: Double, track: Int, face: Int, sighting: FaceSighting)] = []
        let common = commonVelocity
        for track in active {
            let last = tracks[track].last
            let velocity = tracks[track].velocity ?? common
            let frames = Double(sample.frame - last.frame)
            let moved = last.face.moved(x: frames * velocity.x, y: frames * velocity.y)
            for (index, face) in sample.faces.enumerated() {
                guard let sighting = Self.sighting(face, continuing: last) else { continue }
                let box = FractionalRect(sighting.subject.face)
                // A person who stops is near the last place; a person who walks further is near the extrapolated place.
                let distances = [Self.distance(last.face, box), Self.distance(moved, box)].compactMap { $0 }
                if let distance = distances.min() { pairs.append((distance, track, index, sighting)) }
            }
        }
        pairs.sort { one, other in
            // An uncertain sighting could otherwise take a track from its own face.
            let isLater = (one.sighting.isSure ? 0 : 1, other.sighting.isSure ? 0 : 1)
            return (isLater.0, one.distance, one.track, one.face) < (isLater.1, other.distance, other.track, other.face)
        }
        var (linked, taken): (Set<Int>, Set<Int>) = ([], [])
        for pair in pairs where !linked.contains(pair.track) && !taken.contains(pair.face) {
            linked.insert(pair.track)
            taken.insert(pair.face)
            tracks[pair.track].add(pair.sighting, frame: sample.frame)
        }
        for (index, face) in sample.faces.enumerated() where face.isSure && !taken.contains(index) {
            active.append(tracks.count)
            tracks.append(Track(face, frame: sample.frame))
        }
    }

    /// Returns a sighting in the form in which it continues a track.
    ///
    /// A head that is estimated from a body gets the size of the track's last head, with the same top and centre. The result
    /// is nil if the estimate is too different from the last face.
    private static func sighting(_ sighting: FaceSighting, continuing last: Track.Point) -> FaceSighting? {
        guard sighting.isEstimated else { return sighting }
        let (face, head) = (last.subject.face, last.subject.head)
        let (side, estimate) = (Double(face.area).squareRoot(), Double(sighting.subject.face.area).squareRoot())
        guard side <= maxEstimateError * estimate, estimate <= maxEstimateError * side else { return nil }
        let across = sighting.subject.head.x + (sighting.subject.head.width - head.width) / 2 - head.x
        let down = sighting.subject.head.y - head.y
        var moved = sighting
        moved.subject.face = face.moved(x: across, y: down)
        moved.subject.head = head.moved(x: across, y: down)
        return moved
    }

    /// The median velocity of all tracks, for example of a panning camera; used for tracks with one sighting.
    private var commonVelocity: (x: Double, y: Double) {
        let velocities = active.compactMap { tracks[$0].velocity }
        return (velocities.map(\.x).median, velocities.map(\.y).median)
    }

    /// Returns the distance of two faces in sides of a face, plus a term for their difference in size; nil for
    /// different people.
    package static func distance(_ one: FractionalRect, _ other: FractionalRect) -> Double? {
        let (side, otherSide) = ((one.width * one.height).squareRoot(), (other.width * other.height).squareRoot())
        guard side > 0, otherSide > 0 else { return nil }
        let growth = max(side, otherSide) / min(side, otherSide)
        let across = one.x + one.width / 2 - other.x - other.width / 2
        let down = one.y + one.height / 2 - other.y - other.height / 2
        let distance = (across * across + down * down).squareRoot() / max(side, otherSide)
        return growth <= maxGrowth && distance <= reach ? distance + (growth - 1) : nil
    }
}
