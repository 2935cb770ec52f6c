import Glibc

/// The value of the Date field (RFC 9110 §5.6.7), cached for one second.
struct DateField {
    private var second: time_t = -1
    private var bytes: [UInt8] = []

    /// The current time as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func now() -> [UInt8] {
        let now = time(nil)
        if now != second {
            second = now
            bytes = Self.format(now)
        }
        return bytes
    }

    static func format(_ seconds: time_t) -> [UInt8] {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        // Not strftime: the names of days and months must not follow the locale.
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ][Int(parts.tm_mon)]
        let date = "\(padded(parts.tm_mday)) \(month) \(parts.tm_year + 1900)"
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
        return Array("\(day), \(date) \(clock) GMT".utf8)
    }

    private static func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
