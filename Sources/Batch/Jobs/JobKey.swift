import Encodings

/// The keys of jobs whose rows have none.
enum JobKey {
    /// The key of a file: its path without an extension, and without `/` and `./` at its beginning.
    static func path(_ path: String) -> String {
        var parts = RelativePath.withoutExtension(path).split(separator: "/").filter { $0 != "." }
        // What is above the current folder has no place below the output folder.
        while parts.first == ".." { parts.removeFirst() }
        return parts.joined(separator: "/")
    }

    /// The key of a URL: host and path without an extension; with a digest if there is a query, or if the path cannot
    /// be one of a file.
    static func url(_ url: String) -> String {
        var rest = url[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let address = rest.prefix { $0 != "?" && $0 != "#" }
        let plain = path(String(address).split(separator: "/").joined(separator: "/"))
        if rest.endIndex == address.endIndex, RelativePath.problem(plain) == nil { return plain }
        let digest = Hexadecimal.text(Array(SHA256.digest(of: Array(url.utf8)).prefix(8)))
        let named = "\(plain)-\(digest)"
        if RelativePath.problem(named) == nil { return named }
        let host = String(address.prefix { $0 != "/" && $0 != ":" && $0 != "@" })
        return RelativePath.problem(host) == nil ? "\(host)/\(digest)" : digest
    }
}
