import HTTPServer
import Requests

extension AccessPolicy {
    /// Authorizes a request with a URL in another service's syntax.
    ///
    /// A signature in this URL does not expire.
    ///
    /// A bearer secret is sufficient. Otherwise, if the URL format has keys, the URL must be signed with one of them.
    /// If the URL format has no keys, the URL is rejected unless access is open.
    ///
    /// - Throws: A ``Problem`` with the URL format's status for a wrong signature, or 401 or 403.
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
        guard isOpen else { throw .unsignedURLFormat(name, self, request.headers) }
        return .everyone
    }
}
