package import Framing
package import Geometry

/// The people of a shot that the gravity refers to; the choice applies to the whole shot.
package enum Selection {
    /// Returns the positions of the chosen tracks, for gravities that need faces.
    package static func tracks(_ gravity: Gravity, of shot: ShotTracks, in size: PixelSize) -> Set<Int> {
        let tracks = shot.tracks
        // The importance of a person: the size of the face times the number of sightings.
        func importance(_ index: Int) -> Double { tracks[index].area * Double(tracks[index].points.count) }
        let order = tracks.indices.sorted { (importance($0), $1) > (importance($1), $0) }
        switch gravity {
        case .faces: return Set(tracks.indices)
        case .largest: return Set(order.prefix(1))
        case .smallest:
            // Only people with at least half of the maximum number of sightings are candidates.
            let maximum = tracks.map(\.points.count).max() ?? 0
            let lasting = tracks.indices.filter { 2 * tracks[$0].points.count >= maximum }
            return Set(lasting.min { (tracks[$0].area, $0) < (tracks[$1].area, $1) }.map { [$0] } ?? [])
        case .centermost:
            let nearest = tracks.indices.min {
                (tracks[$0].offCentre(of: size), $0) < (tracks[$1].offCentre(of: size), $1)
            }
            return Set(nearest.map { [$0] } ?? [])
        case .face(let number): return order.indices.contains(number - 1) ? [order[number - 1]] : []
        default: return []
        }
    }
}
