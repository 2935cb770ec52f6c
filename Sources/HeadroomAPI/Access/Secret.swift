/// A secret that the service shares with those who may ask it: a key to sign with, or a bearer token.
///
/// It never shows itself: not in a description, a reflection or an error.
package struct Secret: Sendable {
    /// How many characters a secret has: 32 hold 128 bits even when each of them is a hexadecimal digit, which no one
    /// guesses; 256 are more than anybody needs.
    package static let lengths = 32...256

    /// The most secrets of a kind: every one of them is tried for every request.
    package static let mostSecrets = 16

    private let bytes: [UInt8]

    /// What is wrong with a text that should hold secrets, in words that do not repeat it.
    package struct ListError: Error, Sendable {
        /// The rest of a sentence that begins with where the text came from: "holds no secret".
        package let reason: String
    }

    private init(_ text: Substring, place: String) throws(ListError) {
        let bytes = Array(text.utf8)
        guard Self.lengths.contains(bytes.count) else {
            let bounds = "\(Self.lengths.lowerBound) to \(Self.lengths.upperBound)"
            throw ListError(reason: "\(place) has \(bytes.count) characters, and \(bounds) are needed")
        }
        // Base 64 and the tokens of RFC 6750 §2.1, so that every secret can stand in a header and in a shell.
        guard bytes.allSatisfy(Self.isSecretByte) else {
            throw ListError(reason: "\(place) has other characters than letters, digits and - . _ ~ + / =")
        }
        self.bytes = bytes
    }

    /// Reads secrets that are separated by commas, blanks or line ends.
    ///
    /// - Throws: A ``ListError`` that tells which one is wrong by its place, for they are not to be shown.
    package static func list(_ text: String) throws(ListError) -> [Secret] {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard !parts.isEmpty else { throw ListError(reason: "holds no secret") }
        guard parts.count <= mostSecrets else {
            throw ListError(reason: "holds \(parts.count) secrets, and at most \(mostSecrets) are taken")
        }
        var secrets: [Secret] = []
        for (index, part) in parts.enumerated() {
            secrets.append(try Secret(part, place: "number \(index + 1)"))
        }
        return secrets
    }

    /// The message's authentication code under this key.
    func authenticationCode(of message: [UInt8]) -> [UInt8] {
        SHA256.authenticationCode(of: message, key: bytes)
    }

    /// Whether a text is this secret, in a time that tells neither how long it is nor where they differ.
    func isEqual(to text: String) -> Bool {
        SHA256.areEqual(SHA256.digest(of: Array(text.utf8)), SHA256.digest(of: bytes))
    }

    private static func isSecretByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"): true
        case UInt8(ascii: "/"), UInt8(ascii: "="): true
        default: false
        }
    }
}

extension Secret: Equatable {
    /// Whether both are the same, in a time that tells nothing of either.
    package static func == (left: Secret, right: Secret) -> Bool {
        SHA256.areEqual(SHA256.digest(of: left.bytes), SHA256.digest(of: right.bytes))
    }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    package var description: String { "a secret" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
