import Yams

/// Sentences about YAML that cannot be read, without the quoted line, which may contain a secret.
enum YAMLProblem {
    /// The parser's message.
    static func sentence(_ error: YamlError, _ path: String) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(path):\(mark.line) is not valid: expected YAML; \(problem)."
        case .duplicatedKeysInMapping(let names, let context):
            "\(path):\(context.mark.line) is not valid: expected every setting once; \(names.joined(separator: ", "))."
        default: "\(path) is not valid: expected YAML."
        }
    }
}
