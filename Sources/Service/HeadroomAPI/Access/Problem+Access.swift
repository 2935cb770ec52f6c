import HTTPTypes
import Requests

extension Problem {
    /// Returns the problem of a request without valid credentials: status 401 if the service accepts bearer tokens,
    /// otherwise 403.
    static func missingCredentials(_ policy: AccessPolicy, _ headers: HTTPFields) -> Problem {
        guard policy.takesBearerTokens else {
            return Problem.forbidden(
                "The query does not contain a signature, but this service accepts only signed requests. Sign the URL with headroom sign."
            )
        }
        let hasToken = BearerToken.read(headers) != nil
        let detail =
            if hasToken {
                "The bearer token is invalid."
            } else if !policy.takesSignatures {
                "This service requires a secret: send Authorization: Bearer SECRET."
            } else {
                "This service requires a signature in the query or a secret: send Authorization: Bearer SECRET."
            }
        let mistake = BearerToken.mistake(in: headers).map { " \($0)" } ?? ""
        var problem = Problem(.unauthorized, .unauthorized, detail + mistake)
        // RFC 6750 §3: the error is only for a client that sent a token.
        problem.challenge = "Bearer realm=\"headroom\"" + (hasToken ? ", error=\"invalid_token\"" : "")
        return problem
    }

    /// The problem of parameters in the body of an upload whose signature does not cover it.
    static let unsignedParameters = Problem.forbidden(
        "The parameters of a signed upload must be in the query, unless the signature covers the body with digest."
    )
}
