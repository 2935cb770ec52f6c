import UntrustedText

/// The names of parameters that a request may have, known or not.
///
/// Names are compared and are keys of dictionaries, so other text is rejected first, by its bytes.
package enum ParameterName {
    /// The maximum length of a name, in bytes, including the names of other services' parameters in Base64.
    package static let maxBytes = 64

    /// Returns the error of a parameter whose name is too long or not ASCII; nil for another name.
    package static func error(_ name: String, _ value: String) -> ParameterError? {
        if name.utf8.count <= maxBytes, name.bytes.isASCII { return nil }
        let expected = "a name of at most \(maxBytes) ASCII characters"
        return ParameterError(name: name, received: value, expected: expected, isUnknown: true)
    }
}
