import HTTPTypes

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
        let given = Base64.bytes(signature) ?? []
        let message = Array(rest)
        let matches = keys.map { key in
            let code = key.withBytes { MessageAuthentication.code(of: message, key: $0, .sha1) }
            return MessageAuthentication.areEqual(code, given)
        }
        guard matches.contains(true) else { throw .wrongSignature(.badRequest) }
    }

    package func translate(_ address: GrammarAddress) throws(Problem) -> Translation {
        throw .unsupported(option: "thumbor")
    }

    /// The first part of a path, and the rest after its slash.
    static func split(_ address: GrammarAddress) -> (first: Substring.UTF8View, rest: Substring.UTF8View) {
        let path = Substring(address.path).utf8.dropFirst()
        let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        return (path[..<end], path[end...].dropFirst())
    }
}
