import Encodings
import HeadroomAPI
import UntrustedText

/// A source's URL inside the path of another service's URL.
enum SourceText {
    /// Whether a path that starts with an http or https scheme is percent-encoded as a whole; if so, its colon or
    /// slashes are encoded.
    ///
    /// - Returns: Nil for a path without one of these schemes.
    static func isEncoded(_ path: some TextSlice) -> Bool? {
        for scheme in ["http", "https"] where path.bytes.begins(with: scheme) {
            let rest = path.bytes.dropFirst(scheme.utf8.count)
            if rest.bytes.hasPrefix(":/") { return false }
            if rest.bytes.begins(with: ":%2f") || rest.bytes.begins(with: "%3a") { return true }
        }
        return nil
    }

    /// The absolute URL in a path, plain or encoded once; nil for other paths.
    ///
    /// Proxies that merge slashes change `http://host` to `http:/host`.
    static func address(_ path: some TextSlice) -> String? {
        guard let isEncoded = isEncoded(path) else { return nil }
        return (isEncoded ? PercentEncoding.decoded(Array(path.utf8)) : String(path)).flatMap(unencodedAddress)
    }

    /// The absolute URL with exactly two slashes after its scheme; nil for other text.
    static func unencodedAddress(_ text: String) -> String? {
        guard isEncoded(text) == false, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let rest = Substring(text.utf8[colon...].dropFirst().drop { $0 == UInt8(ascii: "/") })
        return escaped(text[..<colon].bytes.lowercased() + "://" + rest)
    }

    /// The text with spaces, control characters and backslashes percent-encoded, as origins expect them.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isRefused) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes += isRefused(byte) ? Array("%\(Hexadecimal.text([byte]).bytes.uppercased())".utf8) : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isRefused(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") }
}
