import HTTPTypes

/// The sources of imgix' addresses: named origins, and whole addresses.
package struct ImgixSources: Sendable, Hashable {
    /// The name of whole addresses, as in `/https%3A%2F%2Fexample.com%2Fa.jpg`.
    static let wholeAddresses = "*"

    private var origins: [String: OriginBase] = [:]
    private var allowsWholeAddresses = true

    /// Only whole addresses.
    package init() {}

    /// Parses `name=https://origin/base,…`; `*` also allows whole addresses.
    ///
    /// - Returns: Nil for other text, and for a repeated name.
    package init?(_ text: String) {
        allowsWholeAddresses = false
        for part in text.split(separator: ",").map({ $0.filter { $0 != " " } }) {
            if part == Self.wholeAddresses {
                allowsWholeAddresses = true
                continue
            }
            guard let equals = part.firstIndex(of: "=") else { return nil }
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
    static func isName(_ text: String) -> Bool {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isName && !text.isEmpty
    }

    /// One address: the name of its source, its picture, and the part of its path that the signature covers.
    struct Resolved: Hashable {
        let name: String
        let source: String
        let signedPath: String
    }

    /// Finds the source of a path: `/NAME/path`, `/NAME/ADDRESS` or `/ADDRESS`.
    ///
    /// - Throws: A ``Problem`` with status 404 for an unknown name.
    func resolve(_ path: String) throws(Problem) -> Resolved {
        let rest = path.drop { $0 == "/" }
        if allowsWholeAddresses, let source = SourceText.address(rest) {
            return Resolved(name: Self.wholeAddresses, source: source, signedPath: path)
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let name = String(rest[..<slash])
        guard let origin = origins[name] else {
            throw Problem(.sourceNotFound, .notFound, "No source of imgix has that name.")
        }
        guard let source = origin.address(of: rest[slash...]) else {
            throw .invalid(option: path, expected: "a path without . and .. segments and backslashes")
        }
        return Resolved(name: name, source: source, signedPath: String(rest[slash...]))
    }
}
