import UntrustedText
import CCurl
import Encodings
import Glibc

/// A time in whole seconds since 1970, up to the end of the year 9999, the last one of HTTP dates.
///
/// Numbers are clamped like those of ``DeltaSeconds``.
package struct UnixTime: Hashable, Comparable, Sendable {
    /// The last second of the year 9999.
    package static let latest = UnixTime(clamping: 253_402_300_799)

    /// Seconds since 1970, 0 to 253,402,300,799.
    package let seconds: Int

    /// The nearest representable time.
    package init(clamping seconds: Int) { self.seconds = min(max(0, seconds), 253_402_300_799) }

    /// The time `delta` later.
    package static func + (time: UnixTime, delta: DeltaSeconds) -> UnixTime {
        UnixTime(clamping: time.seconds + delta.count)
    }

    /// The duration from `earlier` to `later`; 0 if `earlier` is later.
    package static func - (later: UnixTime, earlier: UnixTime) -> DeltaSeconds {
        DeltaSeconds(clamping: later.seconds - earlier.seconds)
    }

    package static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}

/// A duration of HTTP caching in whole seconds, 0 to 2³¹ (RFC 9111 §1.2.2).
///
/// All values, sums and differences are clamped, so no header field, record or clock can cause an overflow.
package struct DeltaSeconds: Hashable, Comparable, Sendable {
    /// The value that stands for every larger number and for a calculation that overflows (§1.2.2).
    package static let longest = DeltaSeconds(clamping: 1 << 31)

    /// The seconds, 0 to 2³¹.
    package let count: Int

    /// The nearest representable duration.
    package init(clamping count: Int) { self.count = min(max(0, count), 1 << 31) }

    /// Parses digits; nil for any other text, including a sign.
    package init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.isDecimal else { return nil }
        // A number that exceeds Int is clamped to the longest duration.
        self.init(clamping: Int(text) ?? .max)
    }

    /// The difference; 0 if `right` is longer.
    package static func - (left: DeltaSeconds, right: DeltaSeconds) -> DeltaSeconds {
        DeltaSeconds(clamping: left.count - right.count)
    }

    package static func < (left: DeltaSeconds, right: DeltaSeconds) -> Bool { left.count < right.count }
}

/// Parses HTTP dates (RFC 9110 §5.6.7), including the obsolete formats, and writes them.
package enum HTTPDate {
    /// The longest date, in bytes; longer text is none.
    private static let maxBytes = 64

    /// The time of a date; nil if the text is not a date, such as `Expires: 0`, or before 1970.
    package static func time(_ text: String) -> UnixTime? {
        // libcurl also accepts dates without a time or a zone, which HTTP does not define.
        guard text.utf8.count <= maxBytes, text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds >= 0 ? UnixTime(clamping: seconds) : nil
    }

    /// A time as a date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ time: UnixTime) -> String {
        var (seconds, parts) = (time_t(time.seconds), tm())
        gmtime_r(&seconds, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func padded(_ number: Int32, _ digits: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        let date = "\(padded(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(padded(parts.tm_year + 1900, 4))"
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(date) \(clock) GMT"
    }
}
