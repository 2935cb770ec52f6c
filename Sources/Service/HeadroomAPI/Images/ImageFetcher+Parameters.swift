package import Fetching
package import Requests

extension ImageFetcher {
    /// Parses the URL in a parameter.
    ///
    /// - Parameters:
    ///   - text: The value of the parameter.
    ///   - parameter: The parameter, which a problem names.
    ///   - record: Receives the cause of a failure.
    /// - Returns: A URL that passed all checks that do not need the IP address of its host.
    /// - Throws: A ``Problem`` for a URL that cannot be fetched.
    package func url(
        _ text: String,
        as parameter: Parameter = .url,
        _ record: inout ImageRecord
    ) throws(Problem) -> SourceURL {
        do {
            return try url(text)
        } catch {
            record.failure = "\(error)"
            guard case .invalidURL(let reason) = error else { throw Problem(error) }
            let name = parameter.name
            let expected = "\(acceptedAddresses); \(reason)"
            throw Problem(ParameterErrors(all: [.init(name: name, received: text, expected: expected)]))
        }
    }
}
