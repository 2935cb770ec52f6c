import Cryptography
import Encodings
import Fetching
package import HTTPTypes
import Requests
import UntrustedText

/// A known mistake in a client's signing code, identified by the text that it signed instead of the expected text.
package struct SignatureMistake: Sendable {
    /// The mistake and its remedy, as sentences.
    package let sentence: String

    /// Finds the mistake that explains a signature, by comparing it with the signatures of similar texts.
    ///
    /// - Parameters:
    ///   - signature: The received signature, in hexadecimal digits or Base64.
    ///   - method: The method of the request.
    ///   - path: The path as the service receives it.
    ///   - query: The query of the request, percent-encoded.
    ///   - prefix: The path prefix of the service; empty for none.
    ///   - keys: The signing keys.
    /// - Returns: The mistake; nil if none of the known mistakes explains the signature.
    package static func of(
        _ signature: String,
        _ method: HTTPRequest.Method,
        path: String,
        query: String?,
        prefix: String,
        keys: [Secret]
    ) -> SignatureMistake? {
        let codes = [Hexadecimal.bytes(signature), Base64.bytes(signature.utf8)].compactMap(\.self)
        guard let pairs = try? SignedQuery(query).signedPairs else { return nil }
        func isSigned(_ text: String) -> Bool {
            keys.contains { key in
                let code = key.authenticationCode(of: Array(text.utf8))
                return codes.contains { MessageDigest.areEqual(code, $0) }
            }
        }
        let request = SignedRequest(method: method, path: path, pairs: pairs, query: query ?? "")
        if isSigned(request.text) {
            return SignatureMistake("The signature is Base64: encode it in hexadecimal.")
        }
        return request.variants(prefix: prefix).first { isSigned($0.text) }.map { SignatureMistake($0.mistake) }
    }

    private init(_ sentence: String) { self.sentence = sentence }
}

/// A request whose signature does not match, with the texts that clients sign by mistake.
private struct SignedRequest {
    let method: HTTPRequest.Method
    let path: String
    let pairs: [(name: String, value: String)]
    let query: String

    typealias Variant = (text: String, mistake: String)

    var text: String { text() }

    private func text(
        _ method: HTTPRequest.Method? = nil,
        path: String? = nil,
        pairs: [(name: String, value: String)]? = nil
    ) -> String {
        let request = CanonicalRequest(method ?? self.method, path: path ?? self.path, pairs: pairs ?? self.pairs)
        return String(decoding: request.message, as: UTF8.self)
    }

    func variants(prefix: String) -> [Variant] {
        methods + paths(prefix) + encodings + orders + parameters
    }

    private var methods: [Variant] {
        let other: HTTPRequest.Method = method == .post ? .get : .post
        let target = CanonicalRequest(method, path: path, pairs: pairs).target
        return [
            (text(other), Self.sentence(ofMethod: other, for: method)),
            (
                target,
                "The method is missing: the text must begin with \(method == .head ? "GET" : method.rawValue) and a space."
            ),
            ("\(text)\n", "The signed text ends with a line break: remove it."),
            ("\(method.rawValue.bytes.lowercased()) \(target)", "The method must be in upper case."),
        ]
    }

    /// The sentence about a signature that was made for another method.
    static func sentence(ofMethod signed: HTTPRequest.Method, for method: HTTPRequest.Method) -> String {
        "The signature was made for \(signed.rawValue), but the request is a \(method.rawValue): sign the method that is sent."
    }

    private func paths(_ prefix: String) -> [Variant] {
        var variants: [Variant] = []
        if !prefix.isEmpty {
            variants.append(
                (text(path: prefix + path), "The path prefix \(prefix) was signed: sign the path without it.")
            )
        }
        let decoded = PercentEncoding.decoded(Array(path.utf8)) ?? path
        let encoded = PercentEncoding.encoded(path, keepsSlashes: true)
        for other in [decoded, encoded, path + "/", String(path.bytes.dropFirst(1))] where other.bytes != path.bytes {
            variants.append(
                (
                    text(path: other),
                    "A different path was signed, \(other): sign \(path), or stop the proxy from changing it."
                )
            )
        }
        // A proxy may have removed the start of the path, or the client may have signed another route.
        let routes = [
            "/frame", "/faces", "/faces/1", "/preset/", "/img\(path)", "/images\(path)", "/headroom\(path)",
            "/api\(path)",
        ]
        for other in routes where other.bytes != path.bytes {
            variants.append(
                (
                    text(path: other),
                    "A different path was signed, \(other): sign the path that the service receives, \(path)."
                )
            )
        }
        return variants
    }

    private var encodings: [Variant] {
        let decoded = pairs.map { (name: $0.name, value: PercentEncoding.decoded(Array($0.value.utf8)) ?? $0.value) }
        let twice = pairs.map { (name: $0.name, value: PercentEncoding.encoded($0.value)) }
        let sorted = pairs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let start = "\(method == .head ? "GET" : method.rawValue) \(path)?"
        let plain = sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let once = sorted.map { (name: PercentEncoding.encoded($0.name), value: PercentEncoding.encoded($0.value)) }
        let lower = once.map { "\($0.name)=\(Self.lowercased($0.value))" }.joined(separator: "&")
        let pluses = once.map { "\($0.name)=\($0.value.bytes.replacing("%20", with: "+"))" }.joined(separator: "&")
        let kept = once.map { pair in
            // The characters that JavaScript's encodeURIComponent does not encode.
            let value = [("%21", "!"), ("%27", "'"), ("%28", "("), ("%29", ")"), ("%2A", "*")].reduce(pair.value) {
                $0.bytes.replacing($1.0, with: $1.1)
            }
            return "\(pair.name)=\(value)"
        }.joined(separator: "&")
        let slashes = once.map { "\($0.name)=\($0.value.bytes.replacing("%2F", with: "/"))" }.joined(separator: "&")
        let double = "The values are percent-encoded twice in the URL"
        return [
            (text(pairs: decoded), "\(double): encode them once."),
            (text(pairs: twice), "The values were percent-encoded twice before signing: encode them once."),
            (start + plain, "The signed text is not percent-encoded: encode names and values before signing."),
            (start + lower, "The signed text has lower-case escapes such as %3a: write them in upper case, %3A."),
            (start + pluses, "The signed text encodes spaces as +: use %20."),
            (start + kept, "The signed text contains ! ' ( ) or *: encode them as %21, %27, %28, %29 and %2A."),
            (start + slashes, "The signed text contains unencoded slashes in values: encode them as %2F."),
        ]
    }

    private static func lowercased(_ text: String) -> String {
        var digits = 0
        let bytes = text.utf8.map { byte -> UInt8 in
            if byte == UInt8(ascii: "%") {
                digits = 2
                return byte
            }
            guard digits > 0 else { return byte }
            digits -= 1
            return byte.lowercasedASCII
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var orders: [Variant] {
        let start = "\(method == .head ? "GET" : method.rawValue) \(path)?"
        let encoded = pairs.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }
        let received = query.bytes.split(separator: "&").filter { !$0.bytes.hasPrefix("signature=") }.joined(
            separator: "&"
        )
        let order = "The parameters were signed in another order: sort them by the bytes of their names."
        return [
            (start + encoded.joined(separator: "&"), order), (start + encoded.reversed().joined(separator: "&"), order),
            (start + received, "The query was signed exactly as in the URL: sort and encode the parameters first."),
        ]
    }

    private var parameters: [Variant] {
        let known = pairs.filter { Parameter.named($0.name) != nil || SignatureParameter(rawValue: $0.name) != nil }
        let all = "Parameters were added after signing: sign them, or stop the proxy from adding them."
        let single = pairs.indices.map { index -> Variant in
            // bounded: an index of the pairs
            let removed = pairs[index].name
            let others = pairs[..<index] + pairs[index...].dropFirst()
            return (
                text(pairs: Array(others)),
                "The parameter \(ParameterError.shortened(removed)) was added after signing: sign it, or remove it from the URL."
            )
        }
        return [(text(pairs: known), all)] + single
            + [
                (
                    String(text.bytes.dropLastMark),
                    "The ? is missing in the signed text: write it even without parameters."
                )
            ]
    }
}

extension ByteText {
    /// The text without a question mark at its end.
    fileprivate var dropLastMark: Substring {
        hasSuffix("?") ? prefix(before: "?") : dropFirst(0)
    }
}

extension SignatureMistake {
    /// The sentence about a signature that was made for another method.
    static func sentence(ofMethod signed: HTTPRequest.Method, for method: HTTPRequest.Method) -> String {
        SignedRequest.sentence(ofMethod: signed, for: method)
    }
}
