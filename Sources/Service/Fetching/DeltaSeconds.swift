import Encodings

/// A duration in HTTP caching in whole seconds, from 0 to 2³¹ (RFC 9111 §1.2.2).
///
/// All values, sums and differences are clamped, so no header field, record or clock can cause an overflow.
package struct DeltaSeconds: Hashable, Comparable, Sendable {
    /// The value that represents every larger number and the result of an overflow (§1.2.2).
    package static let longest = DeltaSeconds(clamping: 1 << 31)

    /// The seconds, 0 to 2³¹.
    package let count: Int

    /// Creates the nearest representable duration.
    package init(clamping count: Int) { self.count = min(max(0, count), 1 << 31) }

    /// Parses digits; nil for any other text, including a sign.
    package init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.isDecimal else { return nil }
        // A number that exceeds Int is clamped to the maximum duration.
        self.init(clamping: Int(text) ?? .max)
    }

    /// Returns the difference; 0 if `right` is longer.
    package static func - (left: DeltaSeconds, right: DeltaSeconds) -> DeltaSeconds {
        DeltaSeconds(clamping: left.count - right.count)
    }

    package static func < (left: DeltaSeconds, right: DeltaSeconds) -> Bool { left.count < right.count }
}
