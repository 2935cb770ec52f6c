package import HTTPTypes
import Requests

extension Problem {
    /// Returns the problem for an option of another service that this service does not support: status 501.
    ///
    /// - Parameters:
    ///   - option: The received option.
    ///   - advice: What to do, as a sentence; empty for no advice.
    ///   - values: The supported values of the option; empty if the detail does not list them.
    /// - Returns: A problem with status 501.
    package static func unsupported(option: String, _ advice: String = "", values: [String] = []) -> Problem {
        let name = ParameterError.shortened(option)
        let list = values.isEmpty ? "" : " The supported values are \(values.joined(separator: ", "))."
        let ending = (advice.isEmpty ? "" : " \(advice)") + list
        return Problem(.unsupportedOption, .notImplemented, "The option \(name) is not supported.\(ending)")
    }

    /// Returns the problem for an invalid option of another service.
    ///
    /// Its detail contains the option and the expected value.
    ///
    /// - Parameters:
    ///   - option: The subject of the sentence: the received text, such as `c_fill`, or "The signature". A long subject
    ///     is shortened.
    ///   - expected: The end of the sentence, without its full stop, such as "a whole number".
    ///   - status: The other service's status for such an option.
    /// - Returns: A problem with that status.
    package static func invalid(
        option: String,
        expected: String,
        _ status: HTTPResponse.Status = .badRequest
    ) -> Problem {
        Problem(.invalidParameter, status, "\(ParameterError.shortened(option)) is not valid: expected \(expected).")
    }

    /// Returns the problem for a required option of another service that is missing: status 400.
    ///
    /// - Parameters:
    ///   - option: The subject of the sentence: the name of the option, such as `w`, or "The source".
    ///   - expected: The end of the sentence, without its full stop, such as "the width in pixels".
    /// - Returns: A problem with status 400.
    package static func missing(_ option: String, expected: String) -> Problem {
        Problem(.invalidParameter, .badRequest, "\(option) is missing: expected \(expected).")
    }

    /// Returns the problem for a missing or wrong signature.
    package static func wrongSignature(_ status: HTTPResponse.Status) -> Problem {
        Problem(.forbidden, status, "The signature is invalid for this URL.")
    }

    /// Returns the problem for a URL in a URL format without keys, if the service requires credentials.
    static func unsignedURLFormat(_ name: URLFormatName, _ policy: AccessPolicy, _ headers: HTTPFields) -> Problem {
        var problem = missingCredentials(policy, headers)
        if !policy.takesBearerTokens {
            problem.detail =
                "This service accepts signed requests only, and has no keys for \(name.rawValue) URLs."
        }
        return problem
    }
}
