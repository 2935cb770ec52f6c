import Encodings
import HeadroomAPI
import HTTPTypes
import Requests
import UntrustedText

/// The sources of imgix' URLs: named origins, and absolute URLs.
package struct ImgixSources: Sendable, Hashable {
    /// The name of absolute URLs, as in `/https%3A%2F%2Fexample.com%2Fa.jpg`.
    static let wholeAddresses = "*"

    private var origins: [String: OriginBase] = [:]
    private var allowsWholeAddresses = true

    /// Serves only absolute URLs.
    package init() {}

    /// Parses `name=https://origin/base,…`; `*` also allows absolute URLs.
    ///
    /// - Returns: Nil for other text, and for a repeated name.
    package init?(_ text: String) {
        allowsWholeAddresses = false
        for part in text.bytes.split(separator: ",").map({ $0.bytes.withoutSpaces() }) {
            if part == Self.wholeAddresses {
                allowsWholeAddresses = true
                continue
            }
            guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(part[..<equals])
            guard Self.isName(name),
                let origin = OriginBase(String(part[part.index(after: equals)...])),
                origins.updateValue(origin, forKey: name) == nil
            else { return nil }
        }
    }

    /// The names of all sources in alphabetical order; ``wholeAddresses`` is the first if absolute URLs are served.
    var names: [String] { (allowsWholeAddresses ? [Self.wholeAddresses] : []) + origins.keys.sorted() }

    /// Whether a text can be the name of a source: letters a to z, digits and hyphens.
    static func isName(_ text: String) -> Bool { text.isPlainName(atMost: .max) }

    /// The parts of one URL: the name of its source, the URL of its image, and the signed part of its path.
    struct Resolved: Hashable {
        let name: String
        let source: String
        let signedPath: String
    }

    /// A path without slashes that is encoded as a whole, decoded once; nil for other paths, or if the decoded text
    /// could be parsed differently.
    private static func unencoded(_ rest: Substring) -> Substring? {
        guard !rest.utf8.contains(UInt8(ascii: "/")) else { return nil }
        let decoded = OptionSegment.decoded(rest)
        let isPath = decoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && ![37, 63, 35].contains($0) }
        return isPath && decoded.utf8.contains(UInt8(ascii: "/")) ? decoded : nil
    }

    /// Finds the source of a path: `/NAME/path`, `/NAME/ADDRESS` or `/ADDRESS`.
    ///
    /// - Throws: A ``Problem`` with status 404 for an unknown name.
    func resolve(_ path: String) throws(Problem) -> Resolved {
        let rest = path.bytes.dropping(UInt8(ascii: "/"))
        if allowsWholeAddresses, let source = SourceText.address(rest) {
            return Resolved(name: Self.wholeAddresses, source: source, signedPath: path)
        }
        if let whole = Self.unencoded(rest) { return try resolve("/\(whole)") }
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let name = String(rest[..<slash])
        guard let origin = origins[name] else {
            throw Problem(
                .sourceNotFound,
                .notFound,
                "No imgix source has this name. The option --imgix-sources sets the names."
            )
        }
        let source = try origin.address(of: rest[slash...], option: path)
        return Resolved(name: name, source: source, signedPath: String(rest[slash...]))
    }
}
