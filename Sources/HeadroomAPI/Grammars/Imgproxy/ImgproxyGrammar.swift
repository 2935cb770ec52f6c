import Encodings
package import HTTPTypes

/// The URLs of imgproxy.
///
/// `/SIGNATURE/OPTION:ARGUMENT…/…/SOURCE`, of which ``ImgproxyPath`` has the parts.
package struct ImgproxyGrammar: URLGrammar {
    private let keys: [(key: [UInt8], salt: [UInt8])]
    private let presets: [String: [ImgproxyPath.Option]]

    /// A grammar whose addresses must be signed with one of the keys, if there are any.
    ///
    /// - Parameters:
    ///   - keys: Keys in hexadecimal digits.
    ///   - salts: A salt for each key, in hexadecimal digits.
    ///   - presets: Options by name, separated by slashes; those of `default` apply to every address.
    package init(keys: [Secret] = [], salts: [Secret] = [], presets: [String: String] = [:]) {
        func bytes(_ secret: Secret) -> [UInt8] {
            secret.withBytes { Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) ?? [] }
        }
        self.keys = zip(keys, salts).map { (bytes($0), bytes($1)) }
        self.presets = presets.mapValues { text in
            text.split(separator: "/").compactMap { ImgproxyPath.option($0) }
        }
    }

    package var hasKeys: Bool { !keys.isEmpty }

    package func verify(_ address: GrammarAddress) throws(Problem) {
        let path = ImgproxyPath(address)
        let given = Base64.bytes(path.signature.utf8) ?? []
        let message = Array(path.signed.utf8)
        let matches = keys.map { key in
            let code = MessageDigest.sha256.authenticationCode(of: key.salt + message, key: key.key)
            return MessageDigest.areEqual(code, given)
        }
        guard matches.contains(true) else { throw .wrongSignature() }
    }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        let path = ImgproxyPath(address)
        var options = ImgproxyOptions(presets: presets)
        try options.applyDefault()
        for option in path.options { try options.apply(option) }
        let (source, format) = try ImgproxySource.read(path.source)
        if let format { try options.setFormat(format) }
        return try ImgproxyTranslation(options, source: source).result
    }

    /// imgproxy's status: 404 for invalid options, and 422 for what is no picture.
    package func status(of problem: Problem) -> HTTPResponse.Status {
        switch problem.kind {
        case .unsupportedImage, .unreadableImage: .unprocessableContent
        case .invalidParameter: .notFound
        default: problem.status
        }
    }
}
