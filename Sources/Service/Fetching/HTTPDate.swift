import CCurl
import Encodings

/// Parses HTTP dates (RFC 9110 §5.6.7), including the obsolete formats, and formats them.
package enum HTTPDate {
    /// The maximum length of a date, in bytes; longer texts are rejected.
    private static let maxBytes = 64

    /// Parses a date; nil if the text is not a date, such as the `0` of `Expires: 0`, or is before 1970.
    package static func time(_ text: String) -> UnixTime? {
        // libcurl also accepts dates without a time or a zone, which HTTP does not define.
        guard text.utf8.count <= maxBytes, text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds >= 0 ? UnixTime(clamping: seconds) : nil
    }

    /// Formats a time as a date, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ time: UnixTime) -> String { UTCTime(seconds: time.seconds).httpDate }
}
