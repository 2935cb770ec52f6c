import CCurl

/// Parses HTTP dates (RFC 9110 §5.6.7), including the obsolete formats.
enum HTTPDate {
    /// The time of a date; nil if the text is not a date, such as `Expires: 0`, or before 1970.
    static func time(_ text: String) -> UnixTime? {
        // libcurl also accepts dates without a time or a zone, which HTTP does not define.
        guard text.contains(":") else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds >= 0 ? UnixTime(clamping: seconds) : nil
    }
}
