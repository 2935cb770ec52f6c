/// The reason why a text cannot be read as a YAML document.
package enum YAMLError: Error, Hashable {
    /// The text violates the syntax or a limit, on a line counted from 1.
    case syntax(String, line: Int)
    /// Repeated keys in one mapping, in alphabetical order; the line is the first line of the first key.
    case repeatedKeys([String], line: Int)
    /// The text contains characters that YAML does not allow, or memory is exhausted.
    case unreadable
}
