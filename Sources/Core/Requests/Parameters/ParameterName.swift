import UntrustedText

/// Checks the names of parameters in requests, known or unknown.
///
/// Names are compared and are keys of dictionaries. Other texts are therefore rejected first, by their bytes.
package enum ParameterName {
    /// The maximum length of a name in bytes; enough for the names of other services' parameters in Base64.
    package static let maxBytes = 64

    /// Returns the error for a parameter whose name is too long or is not ASCII; nil for other names.
    package static func error(_ name: String, _ value: String) -> ParameterError? {
        if name.utf8.count <= maxBytes, name.bytes.isASCII { return nil }
        let expected = "a name of at most \(maxBytes) ASCII characters"
        return ParameterError(name: name, received: value, expected: expected, isUnknown: true)
    }
}
