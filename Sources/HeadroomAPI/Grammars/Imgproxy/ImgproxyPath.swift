/// The parts of an imgproxy address.
struct ImgproxyPath {
    /// An option with its arguments.
    typealias Option = (name: Substring, arguments: [Substring])

    /// The first part.
    let signature: Substring
    /// What the signature covers: the rest of the path, from its slash, as it was before proxies changed it.
    let signed: String
    /// The options, in their order.
    let options: [Option]
    /// What follows the options.
    let source: [Substring]

    /// Parses a path; the query has no meaning.
    init(_ address: GrammarAddress) {
        let path = address.path.dropFirst()
        let end = path.firstIndex(of: "/") ?? path.endIndex
        signature = path[..<end]
        signed = Self.restored(path[end...])
        let parts = signed.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        // The options end at the first part without arguments.
        let count = parts.firstIndex { Self.option($0) == nil } ?? parts.count
        options = parts[..<count].compactMap(Self.option)
        source = Array(parts[count...])
    }

    /// `name:argument:…`; nil for a part without arguments.
    static func option(_ part: Substring) -> Option? {
        let parts = part.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 1 ? (parts[0], Array(parts.dropFirst())) : nil
    }

    /// Restores the colons of options that a proxy has encoded, and the slashes of a plain source that it has merged.
    private static func restored(_ path: Substring) -> String {
        let mark = "/plain/"
        guard let found = path.firstRange(of: mark) else { return colons(path) }
        let source = path[found.upperBound...]
        var restored = String(source)
        if let colon = source.firstIndex(of: ":"), source[..<colon].allSatisfy({ $0.isLetter || $0.isNumber }) {
            let rest = source[source.index(after: colon)...]
            if rest.hasPrefix("/"), !rest.hasPrefix("//") { restored = "\(source[...colon])/\(rest)" }
        }
        return colons(path[..<found.lowerBound]) + mark + restored
    }

    private static func colons(_ text: Substring) -> String {
        String(text).replacing("%3A", with: ":").replacing("%3a", with: ":")
    }
}
