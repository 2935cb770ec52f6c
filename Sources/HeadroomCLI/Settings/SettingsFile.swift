import Yams

/// A file of settings: YAML, a mapping of the settings' names to their values.
///
/// Values are taken as they are written, and read by the same rules as options and variables are; a list stands for its
/// members with commas between.
struct SettingsFile: Sendable {
    /// What stands behind a name.
    struct Entry: Sendable {
        /// The value; nil when there is none, as in `unix-socket:`.
        let text: String?
        /// From 1.
        let line: Int
    }

    /// The largest file, in bytes: far more than all settings take.
    static let maxBytes = 65_536

    let path: String
    private(set) var entries: [String: Entry] = [:]
    /// What is wrong with the file itself, as sentences that repeat no value, for it may be a secret.
    private(set) var problems: [String] = []

    /// Reads the settings in a text; what cannot be read is told by ``problems``.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - path: Its file, for messages.
    init(_ text: String, path: String) {
        self.path = path
        do {
            // Nothing but comments is no node at all, or one without a value.
            guard let root = try Yams.compose(yaml: text), root.null == nil else { return }
            guard let mapping = root.mapping else {
                problems.append("\(path) is not valid: expected lines such as max-pixels: 1000000.")
                return
            }
            for (key, value) in mapping { add(key, value) }
        } catch let error as YamlError {
            problems.append(Self.sentence(error, path))
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
        // In any case, so that nothing more is said of it.
        entries[name] = Entry(text: text.flatMap { $0.isEmpty ? nil : $0 }, line: line)
    }

    /// A value as an option would have it, empty for none; nil when it is neither a value nor a list of them.
    private static func text(of value: Node) -> String? {
        switch value {
        case .scalar(let scalar): return value.null == nil ? scalar.string : ""
        case .sequence(let members):
            let texts = members.map { $0.null == nil ? $0.scalar?.string : nil }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ",")
        default: return nil
        }
    }

    /// What the parser says, without the line that it shows.
    private static func sentence(_ error: YamlError, _ path: String) -> String {
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
