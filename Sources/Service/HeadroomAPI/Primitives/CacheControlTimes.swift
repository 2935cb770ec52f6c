import HTTPServer
import UntrustedText

/// Shortens the times of a `Cache-Control`.
enum CacheControlTimes {
    /// Limits every time in a `Cache-Control` to a number of seconds.
    ///
    /// Without `max-age` and `s-maxage`, caches would choose a time, so the result then contains `max-age`.
    ///
    /// - Parameters:
    ///   - value: The directives.
    ///   - seconds: The maximum of every time.
    ///   - keepsStale: Whether caches may serve stale responses for at most `seconds` more.
    /// - Returns: The directives; unchanged for `no-store`.
    static func shortened(_ value: String, to seconds: Int, keepsStale: Bool) -> String {
        guard value.bytes != "no-store".bytes else { return value }
        var isTimed = false
        var directives = value.listElements.compactMap { directive -> String? in
            let (name, number) = directive.bytes.halves(at: "=")
            let isStale = name.bytes.hasPrefix("stale-")
            guard keepsStale || !isStale else { return nil }
            guard isStale || ["max-age", "s-maxage"].contains(name), let time = number.flatMap({ Int($0) }) else {
                return String(directive)
            }
            isTimed = isTimed || !isStale
            return "\(name)=\(min(time, seconds))"
        }
        if !isTimed { directives.append("max-age=\(seconds)") }
        return directives.joined(separator: ", ")
    }
}
