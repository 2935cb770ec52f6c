import Encodings
import HTTPTypes

/// The source at the end of an imgproxy address.
enum ImgproxySource {
    /// The address of the source, and the extension behind it.
    ///
    /// - Parameter parts: `plain` and an encoded address, or base 64, which may be divided by slashes.
    /// - Returns: The address, and the extension if there is one.
    /// - Throws: A ``Problem`` with status 404, or 501 for encrypted sources.
    static func read(_ parts: [Substring]) throws(Problem) -> (source: String, format: Substring?) {
        switch parts.first {
        case "plain": return try plain(parts.dropFirst().joined(separator: "/"))
        case "enc": throw .unsupported(option: "enc")
        default: return try base64(parts.joined())
        }
    }

    private static func plain(_ text: String) throws(Problem) -> (source: String, format: Substring?) {
        let sides = text.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count <= 2, let address = PercentEncoding.decoded(Array(sides[0].utf8)), !address.isEmpty else {
            throw invalid(text)
        }
        return (address, sides.count == 2 && !sides[1].isEmpty ? Substring(String(sides[1])) : nil)
    }

    private static func base64(_ text: String) throws(Problem) -> (source: String, format: Substring?) {
        let sides = text.split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count <= 2, let bytes = Base64.bytes(sides.first?.utf8 ?? "".utf8[...]),
            let address = String(validating: bytes, as: UTF8.self), !address.isEmpty
        else { throw invalid(text) }
        return (address, sides.count == 2 && !sides[1].isEmpty ? Substring(String(sides[1])) : nil)
    }

    private static func invalid(_ text: String) -> Problem {
        .invalid(option: text, expected: "plain/ and an encoded address, or an address in base 64", .notFound)
    }
}
