import Geometry
import Motion

extension Panes {
    /// The panes with numbers rounded to thousandths, as in a plan.
    var rounded: Panes {
        guard case .two(let second, let share) = self else { return self }
        return .two(PlanRect(second).region, share: PlanRect.rounded(share))
    }

    func clamped(to size: PixelSize) -> Panes {
        guard case .two(let second, let share) = self else { return self }
        return .two(second.clamped(to: size), share: share)
    }
}
