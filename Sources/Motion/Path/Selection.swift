import Framing

/// The people of a shot that the gravity refers to; the choice holds for the whole shot.
enum Selection {
    /// Positions of tracks, for gravities that need faces.
    static func tracks(_ gravity: Gravity, of tracks: [Track]) -> Set<Int> {
        // The importance of a person: how large the face is, and for how long it is seen.
        func importance(_ index: Int) -> Double { tracks[index].area * Double(tracks[index].points.count) }
        let order = tracks.indices.sorted { (importance($0), $1) > (importance($1), $0) }
        switch gravity {
        case .faces: return Set(tracks.indices)
        case .largest: return Set(order.prefix(1))
        case .smallest:
            // A person who is seen for a moment is none to follow.
            let most = tracks.map(\.points.count).max() ?? 0
            let lasting = tracks.indices.filter { 2 * tracks[$0].points.count >= most }
            return Set(lasting.min { (tracks[$0].area, $0) < (tracks[$1].area, $1) }.map { [$0] } ?? [])
        case .face(let number): return order.indices.contains(number - 1) ? [order[number - 1]] : []
        default: return []
        }
    }
}
