import Glibc

/// A time in the format of RFC 3339, in UTC with milliseconds: `2026-03-01T08:15:30.250Z`.
package struct LogTime: CustomStringConvertible, Sendable {
    /// The text.
    package let description: String

    /// A time in seconds and nanoseconds after 1970.
    package init(seconds: Int, nanoseconds: Int) {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ count: Int = 2) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
        description = "\(date)T\(clock).\(padded(Int32(nanoseconds / 1_000_000), 3))Z"
    }

    /// The current time.
    package static func now() -> LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
