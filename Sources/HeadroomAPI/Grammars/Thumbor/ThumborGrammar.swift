import Encodings
package import HTTPTypes

/// The URLs of thumbor, with the additions of imagor.
///
/// `/SIGNATURE|unsafe/…/SOURCE`, of which ``ThumborPath`` has the parts between.
package struct ThumborGrammar: URLGrammar {
    private let keys: [Secret]

    /// A grammar whose addresses must be signed with one of the keys, if there are any.
    package init(keys: [Secret] = []) { self.keys = keys }

    package var hasKeys: Bool { !keys.isEmpty }

    package func verify(_ address: GrammarAddress) throws(Problem) {
        let (signature, rest) = Self.split(address)
        let given = Base64.bytes((PercentEncoding.decoded(Array(signature)) ?? "").utf8) ?? []
        let message = Array(rest)
        let matches = keys.map { key in
            // imagor has longer codes as well.
            let hash: MessageDigest = given.count == 32 ? .sha256 : given.count == 64 ? .sha512 : .sha1
            let code = key.withBytes { hash.authenticationCode(of: message, key: $0) }
            return MessageDigest.areEqual(code, given)
        }
        guard matches.contains(true) else { throw .wrongSignature(.badRequest) }
    }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        let (signature, rest) = Self.split(address)
        guard signature.elementsEqual("unsafe".utf8) || hasKeys else {
            throw .invalid(option: "the signature", expected: "unsafe, because this service has no key")
        }
        return try ThumborTranslation(ThumborPath(Substring(rest))).result
    }

    /// The first part of a path, and the rest after its slash.
    static func split(_ address: GrammarAddress) -> (first: Substring.UTF8View, rest: Substring.UTF8View) {
        let path = Substring(address.path).utf8.dropFirst()
        let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        return (path[..<end], path[end...].dropFirst())
    }

    /// thumbor's status: 400 for what is no picture, and 500 for what cannot be processed.
    package func status(of problem: Problem) -> HTTPResponse.Status {
        switch problem.kind {
        case .unsupportedImage, .unreadableImage, .tooLarge: .badRequest
        default: problem.status
        }
    }

    /// imagor's status.
    package var expired: Problem { Problem(.forbidden, .gone, "The address has expired.") }
}
