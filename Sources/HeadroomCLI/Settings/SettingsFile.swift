import Yams

/// A settings file: a YAML mapping of setting names to values.
///
/// Values are kept as text and parsed by the same rules as options and variables; a list is joined by commas.
struct SettingsFile: Sendable {
    /// The entry of a setting.
    struct Entry: Sendable {
        /// The value; nil if it is empty, as in `unix-socket:`.
        let text: String?
        /// The line, counted from 1.
        let line: Int
    }

    /// The largest file in bytes; far more than all settings need.
    static let maxBytes = 65_536

    let path: String
    private(set) var entries: [String: Entry] = [:]
    /// The errors of the file, as sentences without values, which may be secrets.
    private(set) var problems: [String] = []

    /// Parses the settings in a text; errors are collected in ``problems``.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - path: Its file, for messages.
    init(_ text: String, path: String) {
        self.path = path
        do {
            // A file of comments only has no node, or one without a value.
            guard let root = try Yams.compose(yaml: text), root.null == nil else { return }
            guard let mapping = root.mapping else {
                problems.append("\(path) is not valid: expected lines such as max-pixels: 1000000.")
                return
            }
            for (key, value) in mapping { add(key, value) }
        } catch let error as YamlError {
            problems.append(YAMLProblem.sentence(error, path))
        } catch {
            problems.append("\(path) is not valid: expected YAML.")
        }
    }

    private mutating func add(_ key: Node, _ value: Node) {
        let line = key.mark?.line ?? 1
        guard let name = key.scalar?.string else {
            problems.append("\(path):\(line) is not valid: expected the name of a setting.")
            return
        }
        let text = Self.text(of: value)
        if text == nil {
            problems.append("\(path):\(line): \(name) is not valid: expected a value, or a list of values.")
        }
        // Recorded in any case, to prevent further messages about the setting.
        entries[name] = Entry(text: text.flatMap { $0.isEmpty ? nil : $0 }, line: line)
    }

    /// A value as the text of an option, empty for none; nil if it is neither a value nor a list of values.
    private static func text(of value: Node) -> String? {
        switch value {
        case .scalar(let scalar): return value.null == nil ? scalar.string : ""
        case .sequence(let members):
            let texts = members.map { $0.null == nil ? $0.scalar?.string : nil }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ",")
        default: return nil
        }
    }
}

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
