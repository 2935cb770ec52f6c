import Framing
import Geometry
import Motion

extension PlannedFrame {
    /// Returns the region of a pane; nil if the pane has no region to move.
    func region(of pane: Int) -> FractionalRect? {
        switch panes {
        case .whole: nil
        case .one: pane == 0 ? crop : nil
        case .two(let second, _): pane == 0 ? crop : second
        }
    }

    mutating func set(_ region: FractionalRect, _ pane: Int) {
        if pane == 0 { crop = region }
        if pane == 1, case .two(_, let share) = panes { panes = .two(region, share: share) }
    }
}
