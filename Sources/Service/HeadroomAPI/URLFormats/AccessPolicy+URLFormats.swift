import HTTPServer
import Requests

extension AccessPolicy {
    /// The grant of a request for an address in another service's syntax; a signature in it does not expire.
    ///
    /// A bearer secret is enough. Otherwise the address needs its own signature if its URL format has keys; without
    /// keys, it is refused unless access is open.
    ///
    /// - Throws: A ``Problem`` with the grammar's status for a wrong signature, or 401 or 403.
    func authorization(
        _ request: ServerRequest,
        _ name: URLFormatName,
        _ urlFormat: any URLFormat
    ) throws(Problem) -> Authorization {
        let token = BearerToken.read(request.headers)
        if let token, let authorization = self.authorization(ofToken: token) { return authorization }
        if urlFormat.signing.isRequired {
            let key = try urlFormat.verify(ForeignURL(name, path: request.path, query: request.query))
            return .signature(key: key, SignatureLimits(expires: nil))
        }
        guard isOpen else { throw .unsignedURLFormat(name, self, hasToken: token != nil) }
        return .everyone
    }
}
