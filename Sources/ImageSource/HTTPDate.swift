import CCurl

/// Reads dates as HTTP has them (RFC 9110 §5.6.7), the obsolete forms too.
enum HTTPDate {
    /// Seconds since 1970; nil when it is no date, as with `Expires: 0`.
    static func seconds(_ text: String) -> Int? {
        // libcurl also reads dates without a time or a zone, which mean nothing here.
        guard text.contains(":") else { return nil }
        let seconds = curl_getdate(text, nil)
        return seconds >= 0 ? seconds : nil
    }
}
