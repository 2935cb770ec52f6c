package import UntrustedText

extension TextSlice {
    /// The elements of a list (RFC 9110 §5.6.1), without surrounding whitespace and without empty elements.
    ///
    /// A comma inside a quoted string also separates elements.
    package var listElements: [Substring] {
        bytes.split(separator: ",").map { $0.bytes.trimmed() }.filter { !$0.isEmpty }
    }
}
