import HeadroomAPI

/// How many failures a run may have.
package enum FailureLimit: Sendable, Equatable {
    /// A number; the run stops when there are more.
    case count(Int)
    /// A share of all pictures, 0 to 100, which is known at the end only.
    case percent(Double)

    /// Parses `10` or `2.5%`; nil for other text.
    package init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let share = Double(plainDecimal: text.dropLast()), share <= 100 else { return nil }
            self = .percent(share)
        } else {
            guard let count = Int(plainDigits: text) else { return nil }
            self = .count(count)
        }
    }

    /// Whether so many failures are too many.
    package func isExceeded(_ failures: Int, of total: Int) -> Bool {
        switch self {
        case .count(let limit): failures > limit
        case .percent(let share): Double(failures) * 100 > share * Double(total)
        }
    }

    /// Whether the run may stop: no further picture changes that there are too many failures.
    func stops(_ failures: Int) -> Bool {
        guard case .count(let limit) = self, limit > 0 else { return false }
        return failures > limit
    }
}
