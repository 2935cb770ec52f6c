import Cryptography
import Encodings

/// A secret shared with clients: a signing key or a bearer token.
///
/// Descriptions, reflection and errors do not reveal it.
package struct Secret: Sendable {
    /// The accepted length in characters: 32 hexadecimal digits hold 128 bits.
    package static let lengths = 32...256

    /// The accepted length of another service's keys, which that service chose.
    package static let foreignLengths = 8...256

    /// Maximum number of secrets in a list: each request is compared with every secret.
    package static let maxSecrets = 16

    /// The characters of Base 64 and of RFC 6750 §2.1 tokens, so that every secret can be part of a header and of a
    /// shell command.
    private static let characters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=".utf8)

    private let bytes: [UInt8]
    /// The secret as a key for signatures.
    let key: AuthenticationKey

    /// An error in a list of secrets; it does not contain their text.
    package struct ListError: Error, Sendable {
        /// The predicate of an error sentence, such as "contains no secret"; the subject is the origin of the text.
        package let reason: String

        /// Creates an error with the predicate of its sentence.
        package init(reason: String) { self.reason = reason }
    }

    /// Reads one secret.
    ///
    /// - Parameters:
    ///   - text: The secret.
    ///   - place: The first words of the reason of an error, such as "number 2".
    ///   - lengths: The accepted lengths in characters.
    /// - Throws: A ``ListError`` that begins with `place`.
    package init(_ text: Substring, place: String, lengths: ClosedRange<Int>) throws(ListError) {
        let bytes = Array(text.utf8)
        guard lengths.contains(bytes.count) else {
            let bounds = "\(lengths.lowerBound) to \(lengths.upperBound)"
            throw ListError(reason: "\(place) has \(bytes.count) characters; expected \(bounds)")
        }
        guard bytes.allSatisfy(Self.characters.contains) else {
            throw ListError(reason: "\(place) may contain only letters, digits and - . _ ~ + / =")
        }
        self.bytes = bytes
        key = AuthenticationKey(bytes)
    }

    /// Reads secrets that are separated by commas, spaces or line ends.
    ///
    /// - Parameters:
    ///   - text: The list.
    ///   - lengths: The accepted lengths in characters.
    /// - Returns: The secrets, at least one.
    /// - Throws: A ``ListError`` that names the invalid secret by its position only.
    package static func list(_ text: String, lengths: ClosedRange<Int> = lengths) throws(ListError) -> [Secret] {
        // trusted: a setting of the operator.
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard !parts.isEmpty else { throw ListError(reason: "contains no secret") }
        guard parts.count <= maxSecrets else {
            throw ListError(reason: "contains \(parts.count) secrets; expected at most \(maxSecrets)")
        }
        var secrets: [Secret] = []
        for (index, part) in parts.enumerated() {
            secrets.append(try Secret(part, place: "number \(index + 1)", lengths: lengths))
        }
        return secrets
    }

    func authenticationCode(of message: [UInt8]) -> [UInt8] { key.code(of: message) }

    /// Whether the secret consists of pairs of hexadecimal digits.
    package var isHexadecimal: Bool { Hexadecimal.bytes(String(decoding: bytes, as: UTF8.self)) != nil }

    /// Calls a function with the bytes of the secret, which are valid only during the call.
    package func withBytes<Result>(_ body: ([UInt8]) -> Result) -> Result { body(bytes) }

    var digest: [UInt8] { SHA256.digest(of: bytes) }

    /// Whether a text equals this secret, in constant time.
    func isEqual(to text: String) -> Bool {
        MessageDigest.areEqual(SHA256.digest(of: Array(text.utf8)), SHA256.digest(of: bytes))
    }
}

extension Secret: Equatable {
    /// Whether two secrets are equal, in constant time.
    package static func == (left: Secret, right: Secret) -> Bool {
        MessageDigest.areEqual(SHA256.digest(of: left.bytes), SHA256.digest(of: right.bytes))
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    package var description: String { "a secret" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
