import Glibc

/// A time in whole seconds since 1970, up to the end of the year 9999, the last year of HTTP dates.
///
/// Numbers are clamped in the same way as in ``DeltaSeconds``.
package struct UnixTime: Hashable, Comparable, Sendable {
    /// The last second of the year 9999.
    package static let latest = UnixTime(clamping: 253_402_300_799)

    /// Seconds since 1970, 0 to 253,402,300,799.
    package let seconds: Int

    /// Creates the nearest representable time.
    package init(clamping seconds: Int) { self.seconds = min(max(0, seconds), 253_402_300_799) }

    /// Returns the time `delta` later.
    package static func + (time: UnixTime, delta: DeltaSeconds) -> UnixTime {
        UnixTime(clamping: time.seconds + delta.count)
    }

    /// Returns the duration from `earlier` to `later`; 0 if `earlier` is later.
    package static func - (later: UnixTime, earlier: UnixTime) -> DeltaSeconds {
        DeltaSeconds(clamping: later.seconds - earlier.seconds)
    }

    package static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}
