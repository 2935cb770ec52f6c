import Cryptography
import Encodings
import Fetching
package import HeadroomAPI
package import HTTPTypes
import Requests
import TotalFunctions
import UntrustedText

/// The URLs of imgproxy.
///
/// `/SIGNATURE/OPTION:ARGUMENT…/…/SOURCE`, which ``ImgproxyPath`` parses.
package struct ImgproxyURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.imgproxy
    package static let title = "imgproxy"
    package static let settings: [URLFormatSetting<Self>] = [
        .secrets(
            "imgproxy-key",
            "File with imgproxy's keys in hexadecimal digits. With it, URLs below /imgproxy require a signature.",
            \.keys
        ),
        .secrets(
            "imgproxy-salt",
            "File with imgproxy's salts in hexadecimal digits, one for each key.",
            \.salts
        ),
        .secrets(
            "imgproxy-encryption-key",
            "File with the keys of imgproxy's encrypted sources, in hexadecimal digits.",
            lengths: 32...64,
            \.encryptionKeys
        ),
        .text(
            "imgproxy-presets",
            "Presets for imgproxy URLs: name=option:arguments/option:arguments; a comma-separated list.",
            default: "none",
            expected: "name=options, separated by commas, such as small=rs:fit:300:300/q:70",
            \.presets,
            parse: presets
        ),
    ]

    /// The keys, in hexadecimal digits.
    package var keys: [Secret] = [] { didSet { pairs = Self.pairs(keys, salts) } }
    /// The salts, in hexadecimal digits, one for each key.
    package var salts: [Secret] = [] { didSet { pairs = Self.pairs(keys, salts) } }
    /// The keys of encrypted sources, in hexadecimal digits; without keys, these sources are not supported.
    package var encryptionKeys: [Secret] = [] { didSet { ciphers = Self.ciphers(encryptionKeys) } }
    /// Options by name, separated by slashes; the options of `default` apply to every URL.
    package var presets: [String: String] = [:] { didSet { presetOptions = Self.options(presets) } }

    /// A pair with a key or salt that is not hexadecimal is nil: it matches no signature.
    private var pairs: [(key: [UInt8], salt: [UInt8])?] = []
    /// The keys of encrypted sources; a key that is not hexadecimal is absent.
    private var ciphers: [AESKey] = []
    private var presetOptions: [String: [ImgproxyPath.Option]] = [:]

    package var signing: Signing { .keys(keys) }

    package static var optionNames: [String] { ImgproxyOptions.allNames }

    package init() {}

    /// A URL format whose URLs must be signed with one of the keys, if there are any.
    ///
    /// - Parameters:
    ///   - keys: Keys in hexadecimal digits.
    ///   - salts: A salt for each key, in hexadecimal digits.
    ///   - encryptionKeys: The keys of encrypted sources, in hexadecimal digits.
    ///   - presets: Options by name, separated by slashes.
    package init(
        keys: [Secret] = [],
        salts: [Secret] = [],
        encryptionKeys: [Secret] = [],
        presets: [String: String] = [:]
    ) {
        (self.keys, self.salts, self.encryptionKeys, self.presets) = (keys, salts, encryptionKeys, presets)
        pairs = Self.pairs(keys, salts)
        ciphers = Self.ciphers(encryptionKeys)
        presetOptions = Self.options(presets)
    }

    private static func bytes(_ secret: Secret) -> [UInt8]? {
        secret.withBytes { Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) }
    }

    private static func pairs(_ keys: [Secret], _ salts: [Secret]) -> [(key: [UInt8], salt: [UInt8])?] {
        zip(keys, salts).map { key, salt in
            guard let key = bytes(key), let salt = bytes(salt), !key.isEmpty, !salt.isEmpty else { return nil }
            return (key, salt)
        }
    }

    private static func ciphers(_ keys: [Secret]) -> [AESKey] {
        keys.compactMap { bytes($0).flatMap { AESKey($0) } }
    }

    private static func options(_ presets: [String: String]) -> [String: [ImgproxyPath.Option]] {
        presets.mapValues { text in text.bytes.split(separator: "/").compactMap { ImgproxyPath.option($0) } }
    }

    /// Parses `name=option:arguments/option:arguments`, separated by commas.
    @Sendable private static func presets(_ text: String) -> [String: String]? {
        var presets: [String: String] = [:]
        for part in text.bytes.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.bytes.split(separator: "=", maxSplits: 1).map { String($0.bytes.withoutSpaces()) }
            guard sides.count == 2, presets.updateValue(sides[1], forKey: sides[0]) == nil else { return nil }
        }
        return presets
    }

    package func problems(isComplete: Bool) -> [String] {
        var problems: [String] = []
        if !encryptionKeys.isEmpty {
            let areKeys = encryptionKeys.allSatisfy { key in
                key.isHexadecimal && key.withBytes { [32, 48, 64].contains($0.count) }
            }
            if !areKeys {
                problems.append(
                    "imgproxy-encryption-key is not valid: expected 32, 48 or 64 hexadecimal digits for each key."
                )
            }
            if keys.isEmpty, isComplete, problems.isEmpty {
                problems.append(
                    "imgproxy-encryption-key requires imgproxy-key: without a signature, clients could change encrypted "
                        + "sources."
                )
            }
        }
        if keys.count != salts.count {
            problems.append(
                "imgproxy-salt contains \(salts.count) salts, but imgproxy-key contains \(keys.count) keys: expected one salt "
                    + "per key."
            )
        } else if !(keys + salts).allSatisfy(\.isHexadecimal) {
            problems.append("imgproxy-key or imgproxy-salt is not valid: expected hexadecimal digits in pairs.")
        }
        return problems
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
        var options = ImgproxyOptions(presets: presetOptions)
        try options.applyDefault()
        for option in path.options { try options.apply(option) }
        let isEncrypted = path.source.first == "enc"
        let (source, format) =
            try isEncrypted
            ? ImgproxySource.decrypt(path.source, ciphers) : ImgproxySource.read(path.source)
        if let format { try options.setFormat(format) }
        var result = try ImgproxyTranslation(options, source: source).result
        if isEncrypted {
            result.isEncrypted = true
            result.namesOrigin = false
        }
        return result
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
    /// - Throws: A ``Problem`` with status 404.
    static func read(_ parts: [Substring]) throws(Problem) -> (source: String, format: Substring?) {
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

    /// The URL of an encrypted source, and its extension.
    ///
    /// - Parameters:
    ///   - parts: `enc` and, in base 64, an initialization vector and the ciphertext (AES-CBC with PKCS #7).
    ///   - keys: The keys that decrypt.
    /// - Returns: The URL, and the extension, if any.
    /// - Throws: A ``Problem`` with status 501 without keys; otherwise with status 404, which is equal for every wrong
    ///   text and for a missing image, because a difference would help to guess the text.
    static func decrypt(
        _ parts: [Substring],
        _ keys: [AESKey]
    ) throws(Problem) -> (source: String, format: Substring?) {
        guard !keys.isEmpty else { throw .unsupported(option: "enc") }
        let sides = parts.dropFirst().joined().bytes.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = sides.first.flatMap { Base64.bytes($0.utf8) } ?? []
        // All keys are tried, so that the time does not depend on the key.
        let texts = keys.map { key in key.openedCBC(bytes).flatMap { String(validating: $0, as: UTF8.self) } }
        let source = texts.compactMap(\.self).first { text in
            1...SourceURL.maxLength ~= text.utf8.count && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }
        guard sides.count <= 2, let source else { throw Problem(ImageFetcher.invalidEncryptedURL) }
        return (source, sides[at: 1].flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension URLFormatName {
    /// imgproxy.
    package static let imgproxy = URLFormatName("imgproxy", otherStarts: ["/insecure/"])
}
