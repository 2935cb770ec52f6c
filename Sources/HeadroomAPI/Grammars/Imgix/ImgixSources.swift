import UntrustedText
import Encodings
import HTTPTypes
import Requests

/// The sources of imgix' addresses: named origins, and whole addresses.
package struct ImgixSources: Sendable, Hashable {
    /// The name of whole addresses, as in `/https%3A%2F%2Fexample.com%2Fa.jpg`.
    static let wholeAddresses = "*"

    private var origins: [String: OriginBase] = [:]
    private var allowsWholeAddresses = true

    package init() {}

    /// Parses `name=https://origin/base,…`; `*` also allows whole addresses.
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

    /// The names of all sources in alphabetical order; ``wholeAddresses`` is the first if they are served.
    var names: [String] { (allowsWholeAddresses ? [Self.wholeAddresses] : []) + origins.keys.sorted() }

    /// Whether a text can be the name of a source: letters a to z, digits and hyphens.
    static func isName(_ text: String) -> Bool { text.isPlainName(atMost: .max) }

    /// The parts of one address: the name of its source, the address of its picture, and the signed part of its path.
    struct Resolved: Hashable {
        let name: String
        let source: String
        let signedPath: String
    }

    /// A path without slashes that is encoded as a whole, decoded once; nil for another path, and if the decoded text
    /// could be read in another way.
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
            throw Problem(.sourceNotFound, .notFound, "No source of imgix has that name.")
        }
        let source = try origin.address(of: rest[slash...], option: path)
        return Resolved(name: name, source: source, signedPath: String(rest[slash...]))
    }
}

/// The tokens of imgix' sources.
///
/// imgix signs a path without the name of its source, so a token that two sources share makes each signature valid for
/// both. Therefore every token belongs to one source.
package struct ImgixTokens: Sendable, Equatable {
    /// The tokens by the name of their source.
    private var tokens: [String: [Secret]] = [:]

    /// No tokens: addresses need no signature.
    package init() {}

    /// Reads `name=token` and `token`, separated by commas, blanks or line ends.
    ///
    /// The name is that of a source, or `*` for whole addresses. Tokens without a name belong to the only source that
    /// has no token with its name.
    ///
    /// - Throws: An error without the text of a token: for an invalid token, for a name that no source has, for a
    ///   source without a token, and for tokens without a name that could belong to several sources.
    package init(_ text: String, of sources: ImgixSources) throws(Secret.ListError) {
        // trusted: a setting of the operator.
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard !parts.isEmpty else { throw Secret.ListError(reason: "holds no secret") }
        var nameless: [Secret] = []
        for (index, part) in parts.enumerated() {
            let place = "number \(index + 1)"
            let (name, token) = Self.sides(part)
            let secret = try Secret(token, place: place, lengths: Secret.foreignLengths)
            guard let name else {
                nameless.append(secret)
                continue
            }
            guard sources.names.contains(name) else {
                throw Secret.ListError(reason: "\(place) names a source that imgix-sources does not have")
            }
            tokens[name, default: []].append(secret)
        }
        let missing = sources.names.filter { tokens[$0] == nil }
        if !nameless.isEmpty {
            guard missing.count == 1 else {
                let sources = missing.isEmpty ? "every source has its own" : missing.joined(separator: ", ")
                let reason =
                    "has tokens without the name of a source, which they need (\(sources)): expected name=token"
                throw Secret.ListError(reason: reason)
            }
            tokens[missing[0]] = nameless
        } else if !missing.isEmpty {
            throw Secret.ListError(reason: "has no token of \(missing.joined(separator: ", ")): expected name=token")
        }
        if let count = tokens.values.map(\.count).max(), count > Secret.mostSecrets {
            let reason = "holds \(count) tokens of one source, and at most \(Secret.mostSecrets) are taken"
            throw Secret.ListError(reason: reason)
        }
    }

    /// The name and the token of an entry; `=` at the end of a token is padding.
    private static func sides(_ part: Substring) -> (name: String?, token: Substring) {
        guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (nil, part) }
        let token = part[part.index(after: equals)...]
        let name = String(part[..<equals])
        guard token.contains(where: { $0 != "=" }), name == ImgixSources.wholeAddresses || ImgixSources.isName(name)
        else { return (nil, part) }
        return (name, token)
    }

    /// Whether addresses need no signature.
    package var isEmpty: Bool { tokens.isEmpty }

    /// All tokens, in the order of the names of their sources.
    package var all: [Secret] { tokens.sorted { $0.key < $1.key }.flatMap(\.value) }

    subscript(name: String) -> [Secret] { tokens[name] ?? [] }
}
