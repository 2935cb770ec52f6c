import Geometry

/// Moves a planned path through the places that a person has set.
///
/// The path keeps its own motion: only its distance from the places is added, in equal parts from one place to the next,
/// and in full before the first and after the last one of a shot.
struct CropEdits {
    let size: PixelSize

    /// Applies places to frames; each affects the frames until the next jump on both sides.
    func apply(_ edits: [PlanEdits.Crop], to frames: inout [PlannedFrame]) {
        guard !edits.isEmpty else { return }
        var start = 0
        while start < frames.count {
            var end = start + 1
            while end < frames.count, !frames[end].isCut { end += 1 }
            for pane in 0...1 {
                let own = edits.filter {
                    $0.pane == pane && (frames[start].frame...frames[end - 1].frame).contains($0.frame)
                }
                if !own.isEmpty { move(start..<end, of: &frames, by: own.sorted { $0.frame < $1.frame }, pane) }
            }
            start = end
        }
    }

    private func move(_ part: Range<Int>, of frames: inout [PlannedFrame], by edits: [PlanEdits.Crop], _ pane: Int) {
        let offset = frames[part.lowerBound].frame
        // Offsets must be those from the planned path, not from one that is moved already.
        let moves = edits.compactMap { edit -> (frame: Int, x: Double?, y: Double?)? in
            let index = part.lowerBound + edit.frame - offset
            guard part.contains(index), let crop = frames[index].region(of: pane) else { return nil }
            return (edit.frame, edit.x.map { $0 - crop.x }, edit.y.map { $0 - crop.y })
        }
        let across = moves.compactMap { move in move.x.map { (move.frame, $0) } }
        let down = moves.compactMap { move in move.y.map { (move.frame, $0) } }
        for index in part {
            guard let crop = frames[index].region(of: pane) else { continue }
            let frame = frames[index].frame
            let moved = crop.moved(x: Self.value(across, at: frame), y: Self.value(down, at: frame)).clamped(to: size)
            frames[index].set(moved, pane)
        }
    }

    private static func value(_ moves: [(frame: Int, way: Double)], at frame: Int) -> Double {
        guard let next = moves.firstIndex(where: { $0.frame >= frame }) else { return moves.last?.way ?? 0 }
        guard next > 0, moves[next].frame > frame else { return moves[next].way }
        let (from, to) = (moves[next - 1], moves[next])
        return from.way + (to.way - from.way) * Double(frame - from.frame) / Double(to.frame - from.frame)
    }
}

extension PlannedFrame {
    /// The region of a pane; nil if there is none to move.
    func region(of pane: Int) -> FractionalRect? {
        switch panes {
        case .whole: nil
        case .one: pane == 0 ? crop : nil
        case .two(let second, _): pane == 0 ? crop : second
        }
    }

    fileprivate mutating func set(_ region: FractionalRect, _ pane: Int) {
        if pane == 0 { crop = region }
        if pane == 1, case .two(_, let share) = panes { panes = .two(region, share: share) }
    }
}
