import HTTPTypes

extension Problem {
    /// The problem of another service's option that this one does not have: status 501.
    static func unsupported(option: String, _ advice: String = "") -> Problem {
        let name = ParameterError.shortened(option)
        let ending = advice.isEmpty ? "" : " \(advice)"
        return Problem(.unsupportedOption, .notImplemented, "The option \(name) is not supported here.\(ending)")
    }

    /// The problem of an invalid option.
    ///
    /// - Parameters:
    ///   - option: The option as received.
    ///   - expected: The rest of a sentence: "a whole number".
    ///   - status: That of the other service.
    /// - Returns: The problem, of the kind `invalid-parameter`.
    static func invalid(
        option: String,
        expected: String,
        _ status: HTTPResponse.Status = .badRequest
    ) -> Problem {
        Problem(
            .invalidParameter,
            status,
            "\(ParameterError.shortened(option)) is not valid: expected \(expected)."
        )
    }

    /// The problem of a missing or wrong signature.
    static func wrongSignature(_ status: HTTPResponse.Status = .forbidden) -> Problem {
        Problem(.forbidden, status, "The signature does not fit this address.")
    }

    /// The problem of an address of a grammar without keys, while the service asks for credentials.
    static func unsignedGrammar(_ name: GrammarName, _ policy: AccessPolicy, hasToken: Bool) -> Problem {
        var problem = missingCredentials(policy, hasToken: hasToken)
        if policy.bearerSecrets.isEmpty {
            problem.detail =
                "This service accepts signed requests only, and has no keys for addresses of \(name.rawValue)."
        }
        return problem
    }
}
