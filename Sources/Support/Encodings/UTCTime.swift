import Glibc

/// A date and time in UTC, which can be formatted for HTTP and in ISO 8601.
///
/// `strftime` is not used, because the names of days and months must not depend on the locale.
package struct UTCTime {
    private let parts: tm

    /// Creates a time.
    ///
    /// - Parameter seconds: Seconds after 1970.
    package init(seconds: Int) {
        var (seconds, parts) = (time_t(seconds), tm())
        gmtime_r(&seconds, &parts)
        self.parts = parts
    }

    /// The HTTP date in the IMF-fixdate format (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(padded(Int(parts.tm_mday))) \(months[Int(parts.tm_mon)]) \(year)"
        return "\(day), \(date) \(clock(":")) GMT"
    }

    /// The time in the ISO 8601 basic format, such as `19941106T084937Z`.
    package var basic: String { "\(date(""))T\(clock(""))Z" }

    /// The time in the ISO 8601 extended format without a zone, such as `1994-11-06T08:49:37`.
    package var extended: String { "\(date("-"))T\(clock(":"))" }

    private var year: String { padded(Int(parts.tm_year) + 1900, 4) }

    private func date(_ separator: String) -> String {
        [year, padded(Int(parts.tm_mon) + 1), padded(Int(parts.tm_mday))].joined(separator: separator)
    }

    private func clock(_ separator: String) -> String {
        [padded(Int(parts.tm_hour)), padded(Int(parts.tm_min)), padded(Int(parts.tm_sec))].joined(separator: separator)
    }

    private func padded(_ number: Int, _ count: Int = 2) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
