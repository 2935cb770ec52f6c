import ArgumentParser
import Cryptography
import Encodings
import Fetching
import FoundationEssentials
import Geometry
import HeadroomAPI
import HTTPTypes
import Requests

/// `headroom sign`: adds a signature to a request URL.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a request URL.",
        discussion: """
            Prints the URL with a signature, for a service that accepts signed requests only. Parameters are part of the \
            URL, percent-encoded, or further arguments, without encoding. The command validates them like the service.

            The first key signs. The keys are those of headroom serve: the variable HEADROOM_SIGNING_KEYS, or the file of \
            --signing-keys-file, separated by spaces or commas. To generate a key: openssl rand -hex 32

            EXAMPLES
              headroom sign /frame url=https://example.com/a.jpg aspect=1:1 width=400
              headroom sign 'https://a.example/frame?zoom=1' url=https://b.example/b.jpg
              headroom sign /frame --path-prefix /img url=https://example.com/a.jpg
              headroom sign /frame url=https://example.com/a.jpg --expires-in 7d
              headroom sign /frame url=https://example.com/a.jpg --encrypt
              headroom sign /frame aspect=1:1 --upload --max-upload 5000000
              headroom sign /faces --upload --body team.jpg
              headroom sign --explain '/frame?aspect=1%3A1&signature=5e0c'
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The path of a route, such as /frame, with or without --path-prefix, or a URL with that path.",
            valueName: "url"
        )
    )
    var address: String

    @Argument(help: ArgumentHelp("Parameters, such as aspect=16:9.", valueName: "name=value"))
    var parameters: [String] = []

    @Option("Validity of the signature: 90s, 15m, 12h, 30d. (default: unlimited)", value: "time")
    var expiresIn: String?

    @Option("Maximum freshness of the response in seconds. (default: the setting of the service)", value: "s")
    var maxAge: String?

    @Flag(help: "Sign a POST, which uploads the image.")
    var upload = false

    @Option("Maximum size of the upload in bytes.", value: "n")
    var maxUpload: String?

    @Option("Restrict the upload to the content of this file.", value: "file")
    var body: String?

    @Flag(help: "Encrypt url and backdropUrl with the first key of --source-encryption-keys-file.")
    var encrypt = false

    @Flag(help: "Print the text to sign, and compare the signature of the URL.")
    var explain = false

    @Option(Settings.pathPrefix) var pathPrefix: String?
    @Option(Settings.sourceRewrites) var sourceRewrites: String?
    @Option(Settings.sourceEncryptionKeys.file) var sourceEncryptionKeysFile: String?

    @OptionGroup var file: SettingsFileOptions
    @OptionGroup var keys: SigningKeyOptions

    func run() throws {
        guard explain else { return try StandardStream.output.write("\(try signedAddress())\n") }
        let explanation = try explanation()
        try StandardStream.output.write(explanation.lines.map { "\($0)\n" }.joined())
        if !explanation.isValid { throw ExitCode.failure }
    }
}

/// The option for the signing keys, shared by the commands that create or verify signatures.
struct SigningKeyOptions: ParsableArguments {
    @Option(Settings.signingKeys.file) var signingKeysFile: String?
}

extension SignCommand {
    /// Validates all arguments and signs.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    private func signedAddress() throws(CommandFailure) -> String {
        var reader = SettingsReader(environment: ProcessInfo.processInfo.environment, config: file.config)
        let keys = signingKeys(&reader)
        let method: HTTPRequest.Method = upload ? .post : .get
        let prefix = reader.value(Settings.pathPrefix, pathPrefix)?.description ?? ""
        let rewrites = reader.value(Settings.sourceRewrites, sourceRewrites)
        let (origin, given, query) = Self.parts(of: address)
        let path = Self.signedPath(given, prefix: prefix)
        let route = Route.of(path: path).flatMap { $0.servesImages ? $0 : nil }
        if route == nil {
            reader.refuse("\(address) is not valid: expected the path /frame, /faces or /faces/N.")
        }
        let pairs = pairs(query, &reader)
        let request = CanonicalRequest(method, path: path, pairs: pairs ?? [])
        if let route, pairs != nil { Self.check(request, method: method, for: route, rewrites, &reader) }
        let encrypted = encrypt ? encrypted(pairs ?? [], &reader) : pairs ?? []
        guard let key = keys.first, reader.errors.isEmpty else { throw .usage(reader.errors) }
        return origin + prefix + CanonicalRequest(method, path: path, pairs: encrypted).signedTarget(key)
    }

    /// Reads the signing keys; refuses an empty list.
    private func signingKeys(_ reader: inout SettingsReader) -> [Secret] {
        let keys = reader.secrets(Settings.signingKeys, file: keys.signingKeysFile)
        if keys.isEmpty, reader.errors.isEmpty {
            reader.refuse("no signing key: set HEADROOM_SIGNING_KEYS, or give --signing-keys-file")
        }
        return keys
    }

    /// Returns the path that a signature covers: without the path prefix of the service.
    private static func signedPath(_ path: String, prefix: String) -> String {
        !prefix.isEmpty && path.hasPrefix("\(prefix)/") ? String(path.dropFirst(prefix.count)) : path
    }

    /// Returns the parameters with encrypted URLs.
    private func encrypted(
        _ pairs: [(name: String, value: String)],
        _ reader: inout SettingsReader
    ) -> [(name: String, value: String)] {
        guard let cipher = reader.cipher(file: sourceEncryptionKeysFile) else {
            if reader.errors.isEmpty {
                reader.refuse(
                    "--encrypt requires a key: set HEADROOM_SOURCE_ENCRYPTION_KEYS, or give --source-encryption-keys-file"
                )
            }
            return pairs
        }
        let names = [Parameter.url.name, Parameter.backdropURL.name]
        return pairs.map { pair in
            guard names.contains(pair.name), !URLCipher.isEncrypted(pair.value), let text = cipher.sealed(pair.value)
            else {
                return pair
            }
            return (pair.name, text)
        }
    }

    /// Explains the signature of a request: the text to sign, and the mistake in a received signature.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    private func explanation() throws(CommandFailure) -> (lines: [String], isValid: Bool) {
        var reader = SettingsReader(environment: ProcessInfo.processInfo.environment, config: file.config)
        let keys = signingKeys(&reader)
        let method: HTTPRequest.Method = upload ? .post : .get
        let prefix = reader.value(Settings.pathPrefix, pathPrefix)?.description ?? ""
        let (_, given, query) = Self.parts(of: address)
        let path = Self.signedPath(given, prefix: prefix)
        let all = pairs(query, &reader) ?? []
        guard let key = keys.first, reader.errors.isEmpty else { throw .usage(reader.errors) }
        let name = SignatureParameter.signature.rawValue
        let received = all.first { $0.name == name }?.value
        let pairs = all.filter { $0.name != name }
        let request = CanonicalRequest(method, path: path, pairs: pairs)
        var lines = ["method: \(method.rawValue)", "path: \(path)"]
        lines += pairs.map { "parameter: \($0.name)=\($0.value)" }
        lines.append("text to sign: \(String(decoding: request.message, as: UTF8.self))")
        guard let received else {
            return (lines + ["signature: \(request.signature(key))", "url: \(request.signedTarget(key))"], true)
        }
        lines.append("received signature: \(received)")
        if let index = keys.firstIndex(where: { request.signature($0) == received.lowercased() }) {
            return (lines + ["result: valid, made with key \(index + 1)"], true)
        }
        let mistake = SignatureMistake.of(received, method, path: path, query: query, prefix: prefix, keys: keys)
        let unknown =
            "No known mistake explains the signature. Check the key, and compare the text above with the text that the program signs."
        return (
            lines + [
                "expected signature: \(request.signature(key))", "result: invalid. \(mistake?.sentence ?? unknown)",
            ], false
        )
    }

    /// The parts of a URL: the origin, empty for a bare path; the path; and the query, nil without `?`.
    private static func parts(of address: String) -> (origin: String, path: String, query: String?) {
        var start = address.startIndex
        if let scheme = address.firstRange(of: "://") {
            start = address[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? address.endIndex
        }
        let sides = address[start...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(address[..<start]), sides.first.map(String.init) ?? "", sides.count > 1 ? String(sides[1]) : nil)
    }

    /// The parameters of the URL, the arguments, and the options.
    ///
    /// Nil if the URL is invalid, so that no parameter is reported as missing.
    private func pairs(_ query: String?, _ reader: inout SettingsReader) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        var isReadable = true
        do {
            pairs = try QueryString.pairs(query)
        } catch {
            for error in error.all { reader.refuse(error.sentence) }
            isReadable = false
        }
        for text in parameters {
            let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if sides.count == 2 {
                pairs.append((sides[0], sides[1]))
            } else {
                reader.refuse("\(text) is not valid: expected name=value.")
            }
        }
        func add(_ parameter: SignatureParameter, _ value: String) { pairs.append((parameter.rawValue, value)) }
        if let text = expiresIn {
            if let seconds = Self.seconds(text) {
                add(.expires, "\(Int(Date().timeIntervalSince1970) + seconds)")
            } else {
                reader.refuse("--expires-in=\(text) is not valid: expected a time such as 90s, 15m, 12h or 30d.")
            }
        }
        if let text = maxAge { add(.maxAge, text) }
        if let text = maxUpload { add(.maxUpload, text) }
        if let file = body {
            do {
                add(.digest, Hexadecimal.text(SHA256.digest(of: try LocalFile.read(file))))
            } catch {
                for reason in error.reasons { reader.refuse("--body=\(reason)") }
            }
        }
        return isReadable ? pairs : nil
    }

    /// Validates the request with the rules of the service.
    private static func check(
        _ request: CanonicalRequest,
        method: HTTPRequest.Method,
        for route: Route,
        _ rewrites: SourceRewrites,
        _ reader: inout SettingsReader
    ) {
        func attempt<Value>(_ body: () throws(ParameterErrors) -> Value) -> Value? {
            do throws(ParameterErrors) {
                return try body()
            } catch {
                for error in error.all { reader.refuse(error.sentence) }
                return nil
            }
        }
        let text = request.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        guard let query = attempt({ () throws(ParameterErrors) in try SignedQuery(text) }) else { return }
        if query.isSigned { reader.refuse("the URL already has a signature: remove it") }
        _ = attempt { () throws(ParameterErrors) in try SignatureLimits(query, method: method) }
        _ = attempt { () throws(ParameterErrors) in try query.maxAge() }
        let parameters = attempt { () throws(ParameterErrors) in
            try FrameParameters(query.pairs, known: route.parameters)
        }
        guard let parameters else { return }
        for name in parameters.deprecated { StandardStream.error.writeLine("Warning: \(name.warning)") }
        guard let url = parameters.url else {
            if method == .get { reader.refuse("url is missing: expected the URL of an image, or --upload.") }
            return
        }
        // A relative URL depends on the service's base URL, which is unknown here.
        // Only the service has the key of an encrypted URL.
        guard !BaseURL.isShort(url), !URLCipher.isEncrypted(url) else { return }
        do {
            _ = try SourceURL(rewrites.rewritten(url) ?? url)
        } catch {
            guard case .invalidURL(let reason) = error else { return }
            reader.refuse("url=\(url) is not valid: \(reason).")
        }
    }

    /// A duration in seconds, from digits and a unit (`s`, `m`, `h`, `d`); nil if invalid or longer than 3650 days.
    private static func seconds(_ text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(plainDigits: text.dropLast()),
            1...(3650 * 86_400 / unit) ~= count
        else { return nil }
        return count * unit
    }
}
