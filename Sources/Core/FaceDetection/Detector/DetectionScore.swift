import Glibc

/// The meaning of ``Detection/confidence``, the margin of a detection above the detector's threshold.
package enum DetectionScore {
    /// Returns the probability, 0 to 1, that a detection with this score is a face: `1 / (1 + 2^(-7 (score + 0.25)))`.
    ///
    /// The probability is 0.77 at the threshold, a score of 0, and 0.97 at a score of 0.5.
    package static func probability(_ score: Double) -> Double { 1 / (1 + exp2(-7 * (score + 0.25))) }
}
