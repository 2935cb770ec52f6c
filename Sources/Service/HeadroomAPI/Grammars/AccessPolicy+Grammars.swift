import HTTPServer
import Requests

extension AccessPolicy {
    /// The grant of a request for an address in another service's syntax; a signature in it does not expire.
    ///
    /// A bearer secret is enough. Otherwise the address needs its own signature if its grammar has keys; without keys,
    /// it is refused unless access is open.
    ///
    /// - Throws: A ``Problem`` with the grammar's status for a wrong signature, or 401 or 403.
    func authorization(
        _ request: ServerRequest,
        _ name: GrammarName,
        _ grammar: any URLGrammar
    ) throws(Problem) -> Authorization {
        let token = BearerToken.read(request.headers)
        if let token, let authorization = self.authorization(ofToken: token) { return authorization }
        if grammar.signing.isRequired {
            let key = try grammar.verify(GrammarAddress(name, path: request.path, query: request.query))
            return .signature(key: key, SignatureLimits(expires: nil))
        }
        guard isOpen else { throw .unsignedGrammar(name, self, hasToken: token != nil) }
        return .everyone
    }
}
