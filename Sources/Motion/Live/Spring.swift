#if canImport(Glibc)
import Glibc
#else
import Foundation
#endif

/// A critically damped spring: approaches a target without passing it, with a continuous velocity.
struct Spring {
    private(set) var value: Double
    private var velocity = 0.0

    init(at value: Double) { self.value = value }

    /// Moves towards a target for `seconds`, during which the target stands still; the solution is exact.
    ///
    /// `frequency` is the natural frequency in Hz; the value lags a moving target by 1 / (π · `frequency`).
    mutating func step(to target: Double, frequency: Double, seconds: Double) {
        let omega = 2 * Double.pi * frequency
        let distance = value - target
        let decay = exp(-omega * seconds)
        let impulse = (velocity + omega * distance) * seconds
        value = target + (distance + impulse) * decay
        velocity = (velocity - omega * impulse) * decay
    }
}
