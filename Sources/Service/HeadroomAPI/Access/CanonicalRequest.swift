import UntrustedText
import Encodings
package import HTTPTypes
import Requests

/// The canonical form of a request, which signatures cover.
///
/// The message is the method, a space, the path, `?` and the query:
///
///     GET /frame?aspect=1%3A1&url=https%3A%2F%2Fexample.com%2Fa.jpg&width=400
///
/// - The method is `GET` or `POST`; `HEAD` is signed as `GET`.
/// - The path is the unchanged path that the service receives.
/// - The query has every parameter except `signature`, sorted by the bytes of the name and then of the value, joined by
///   `&`.
/// - Each parameter is its name, `=` and its value, even if the value is empty. In names and values, every byte of the
///   UTF-8 text is percent-encoded with upper-case digits, except the unreserved characters of RFC 3986 §2.3: letters,
///   digits and `- . _ ~`.
///
/// Parameters are parsed and encoded again, so their order and encoding in the request do not matter. The form is
/// unambiguous: requests with different meanings have different messages.
package struct CanonicalRequest: Sendable {
    /// The path and the query of the request target.
    package let target: String

    private let method: HTTPRequest.Method

    /// Creates the canonical form of a request.
    ///
    /// - Parameters:
    ///   - method: `HEAD` counts as `GET`.
    ///   - path: As the service receives it, percent-encoded.
    ///   - pairs: The query's parameters without the signature, decoded, in any order.
    package init(_ method: HTTPRequest.Method, path: String, pairs: [(name: String, value: String)]) {
        self.method = method == .head ? .get : method
        let sorted = pairs.sorted { left, right in
            // Bytes are compared, because strings are ordered by Unicode.
            left.name.utf8.elementsEqual(right.name.utf8)
                ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
                : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        let query = sorted.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }
        target = "\(path)?\(query.joined(separator: "&"))"
    }

    package var message: [UInt8] { Array("\(method.rawValue) \(target)".utf8) }

    /// Computes the signature with a key: 64 hexadecimal digits.
    package func signature(_ key: Secret) -> String { Hexadecimal.text(key.authenticationCode(of: message)) }

    /// Returns the target with its signature by a key as the last parameter of the query.
    package func signedTarget(_ key: Secret) -> String {
        let separator = target.bytes.hasSuffix("?") ? "" : "&"
        return "\(target)\(separator)\(SignatureParameter.signature.rawValue)=\(signature(key))"
    }
}
