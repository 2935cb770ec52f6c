/// A duration of HTTP caching in whole seconds, 0 to 2³¹ (RFC 9111 §1.2.2).
///
/// All values, sums and differences are clamped, so no header field, record or clock can cause an overflow.
package struct DeltaSeconds: Hashable, Sendable {
    /// Represents every larger number, and every calculation that overflows (§1.2.2).
    package static let longest = DeltaSeconds(clamping: 1 << 31)

    /// The seconds, 0 to 2³¹.
    package let count: Int

    /// The nearest representable duration.
    package init(clamping count: Int) { self.count = min(max(0, count), 1 << 31) }

    /// Parses digits; nil for any other text, including a sign.
    package init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        // A number that exceeds Int is clamped to the longest duration.
        self.init(clamping: Int(text) ?? .max)
    }

    /// The difference; 0 if `right` is longer.
    package static func - (left: DeltaSeconds, right: DeltaSeconds) -> DeltaSeconds {
        DeltaSeconds(clamping: left.count - right.count)
    }
}

extension DeltaSeconds: Comparable {
    package static func < (left: DeltaSeconds, right: DeltaSeconds) -> Bool { left.count < right.count }
}
