import HTTPTypes
import Requests

extension Problem {
    /// The problem of a request without the credentials that a service asks for.
    ///
    /// - Parameters:
    ///   - policy: One that is not open.
    ///   - hasToken: Whether there was a bearer token, which then is a wrong one.
    /// - Returns: Status 401 where a bearer token would do, else 403.
    static func missingCredentials(_ policy: AccessPolicy, hasToken: Bool) -> Problem {
        guard policy.takesBearerTokens else {
            return Problem(
                .forbidden,
                .forbidden,
                "This service accepts signed requests only, and the query has no signature; headroom sign computes one."
            )
        }
        let detail =
            if hasToken {
                "The bearer token is not valid."
            } else if !policy.takesSignatures {
                "This service requires a secret: send Authorization: Bearer."
            } else {
                "This service requires a signature in the query or a secret: send Authorization: Bearer."
            }
        var problem = Problem(.unauthorized, .unauthorized, detail)
        // RFC 6750 §3: only a client that sent a token learns of the error.
        problem.challenge = "Bearer realm=\"headroom\"" + (hasToken ? ", error=\"invalid_token\"" : "")
        return problem
    }

    /// The problem of parameters in the body of an upload whose signature does not cover it.
    static let unsignedParameters = Problem(
        .forbidden,
        .forbidden,
        "A signed upload has its parameters in the query, unless its signature covers the body with digest."
    )
}
