import YAML

/// Error messages about unreadable YAML.
///
/// They do not quote the line, because it may contain a secret.
enum YAMLProblem {
    /// The parser's message.
    static func sentence(_ error: YAMLError, _ path: String) -> String {
        switch error {
        case .syntax(let problem, let line): "\(path):\(line) is not valid: expected YAML; \(problem)."
        case .repeatedKeys(let names, let line):
            "\(path):\(line) is not valid: expected every setting once; \(names.joined(separator: ", "))."
        case .unreadable: "\(path) is not valid: expected YAML."
        }
    }

    /// The entries of a YAML mapping from names to values, the format of the files of tenants and of presets.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - path: Its file, for messages.
    ///   - kind: The noun for an entry in messages, such as `tenant`.
    ///   - content: The noun for its value in messages, such as `keys and limits`.
    ///   - problems: Receives a sentence if the text is not this kind of mapping.
    /// - Returns: The entries in file order; empty if there is a problem.
    static func entries(
        _ text: String,
        path: String,
        of kind: String,
        with content: String,
        _ problems: inout [String]
    ) -> [YAMLNode.Entry] {
        do throws(YAMLError) {
            guard let root = try YAMLNode.document(text), !root.isNull, root.entries?.isEmpty != true else {
                problems.append("\(path) is not valid: expected at least one \(kind).")
                return []
            }
            guard let entries = root.entries else {
                problems.append("\(path) is not valid: expected names of \(kind)s, each with \(content).")
                return []
            }
            return entries
        } catch {
            problems.append(sentence(error, path))
        }
        return []
    }
}
