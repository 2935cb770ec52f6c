import Encodings
package import HeadroomAPI
package import HTTPTypes
package import Requests
import TotalFunctions
import UntrustedText

/// The URLs of imgproxy.
///
/// `/SIGNATURE/OPTION:ARGUMENT…/…/SOURCE`, which ``ImgproxyPath`` parses.
package struct ImgproxyURLFormat: URLFormat {
    /// A pair with a key or salt that is not hexadecimal is nil: it matches no signature.
    private let pairs: [(key: [UInt8], salt: [UInt8])?]
    package let signing: Signing

    package static var optionNames: [String] { ImgproxyOptions.allNames }

    private let presets: [String: [ImgproxyPath.Option]]

    /// A URL format whose URLs must be signed with one of the keys, if there are any.
    ///
    /// - Parameters:
    ///   - keys: Keys in hexadecimal digits.
    ///   - salts: A salt for each key, in hexadecimal digits.
    ///   - presets: Options by name, separated by slashes; the options of `default` apply to every URL.
    package init(keys: [Secret] = [], salts: [Secret] = [], presets: [String: String] = [:]) {
        func bytes(_ secret: Secret) -> [UInt8]? {
            secret.withBytes { Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) }
        }
        signing = .keys(keys)
        pairs = zip(keys, salts).map { key, salt in
            guard let key = bytes(key), let salt = bytes(salt), !key.isEmpty, !salt.isEmpty else { return nil }
            return (key, salt)
        }
        self.presets = presets.mapValues { text in
            text.bytes.split(separator: "/").compactMap { ImgproxyPath.option($0) }
        }
    }

    @discardableResult
    package func verify(_ address: ForeignURL) throws(Problem) -> Int {
        let path = ImgproxyPath(address)
        let given = Base64.bytes(path.signature.utf8) ?? []
        let sent = address.path.utf8.dropFirst().drop { $0 != UInt8(ascii: "/") }
        // The signature covers the received path, or the path before a proxy encoded it.
        let messages = [Array(path.signed.utf8), Array(sent)]
        let expected = pairs.map { pair in
            pair.map { pair in
                messages.map { MessageDigest.sha256.authenticationCode(of: pair.salt + $0, key: pair.key) }
            } ?? []
        }
        return try position(of: given, among: expected, of: "salt, then \(path.signed)", .forbidden)
    }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let path = ImgproxyPath(address)
        var options = ImgproxyOptions(presets: presets)
        try options.applyDefault()
        for option in path.options { try options.apply(option) }
        let (source, format) = try ImgproxySource.read(path.source)
        if let format { try options.setFormat(format) }
        return try ImgproxyTranslation(options, source: source).result
    }

    /// imgproxy's status: 404 for invalid options, and 422 for sources that are not supported or cannot be decoded.
    package func status(of problem: Problem) -> HTTPResponse.Status {
        switch problem.kind {
        case .unsupportedImage, .unreadableImage: .unprocessableContent
        case .invalidParameter: .notFound
        default: problem.status
        }
    }
}

/// The parts of an imgproxy URL.
struct ImgproxyPath {
    /// An option with its arguments.
    typealias Option = (name: Substring, arguments: [Substring])

    let signature: Substring
    /// The signed text: the remaining path from its slash, with changes by proxies undone.
    let signed: String
    let options: [Option]
    /// The parts after the options.
    let source: [Substring]

    /// Parses a path; the query is ignored.
    init(_ address: ForeignURL) {
        let path = address.path.dropFirst()
        let end = path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        signature = path[..<end]
        signed = Self.restored(path[end...])
        let parts = signed.dropFirst().bytes.split(separator: "/", omittingEmptySubsequences: false)
        // The options end at the first part without arguments.
        let count = parts.firstIndex { Self.option($0) == nil } ?? parts.count
        options = parts.prefix(count).compactMap(Self.option)
        source = Array(parts.dropFirst(count))
    }

    /// `name:argument:…`; nil for a part without arguments.
    static func option(_ part: Substring) -> Option? {
        let parts = part.bytes.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count > 1 else { return nil }
        return (name, Array(parts.dropFirst()))
    }

    /// Restores the colons of options that a proxy has encoded, and the slashes of a plain source that it has merged.
    private static func restored(_ path: Substring) -> String {
        let mark = "/plain/"
        guard let found = path.bytes.firstRange(of: mark) else { return colons(path) }
        let source = path[found.upperBound...]
        var restored = String(source)
        if let colon = source.utf8.firstIndex(of: UInt8(ascii: ":")), source[..<colon].utf8.allSatisfy(\.isAlphanumeric)
        {
            let rest = source[source.index(after: colon)...]
            if rest.bytes.hasPrefix("/"), !rest.bytes.hasPrefix("//") { restored = "\(source[...colon])/\(rest)" }
        }
        return colons(path[..<found.lowerBound]) + mark + restored
    }

    private static func colons(_ text: Substring) -> String {
        String(text).bytes.replacing("%3A", with: ":").bytes.replacing("%3a", with: ":")
    }
}

/// The source at the end of an imgproxy URL.
private enum ImgproxySource {
    /// The URL of the source, and its extension.
    ///
    /// - Parameter parts: `plain` and an encoded URL, or base 64, which may contain slashes.
    /// - Returns: The URL, and the extension, if any.
    /// - Throws: A ``Problem`` with status 404, or 501 for encrypted sources.
    static func read(_ parts: [Substring]) throws(Problem) -> (source: String, format: Substring?) {
        if parts.first == "enc" { throw .unsupported(option: "enc") }
        let isPlain = parts.first == "plain"
        let text = isPlain ? parts.dropFirst().joined(separator: "/") : parts.joined()
        let sides = text.bytes.split(separator: isPlain ? "@" : ".", omittingEmptySubsequences: false)
        let first = sides.first.map(String.init) ?? ""
        let address =
            isPlain
            ? PercentEncoding.decoded(Array(first.utf8))
            : Base64.bytes(first.utf8).flatMap { String(validating: $0, as: UTF8.self) }
        guard sides.count <= 2, let address, !address.isEmpty else {
            let expected = "plain/ and an encoded URL, or a URL in base 64"
            throw .invalid(option: text, expected: expected, .notFound)
        }
        return (address, sides[at: 1].flatMap { $0.isEmpty ? nil : $0 })
    }
}
