import Requests
import YAML

/// A file of presets: a YAML mapping of names to parameters of requests.
struct PresetsFile {
    static let maxBytes = 1 << 20

    private(set) var presets: [Preset] = []
    /// The errors of the file, as sentences.
    private(set) var problems: [String] = []
    private let path: String

    /// Parses the presets in YAML; errors, which contain the file name, are collected in ``problems``.
    init(_ text: String, path: String) {
        self.path = path
        for (name, value) in YAMLProblem.entries(text, path: path, of: "preset", with: "parameters", &problems) {
            add(name, value)
        }
        if presets.count > PresetSet.maxPresets {
            problems.append("\(path) has \(presets.count) presets: expected at most \(PresetSet.maxPresets).")
        }
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        let line = key.line
        guard let name = key.text, Preset.isName(name) else {
            let expected = "a name of at most \(Preset.maxNameLength) letters a to z, digits and hyphens"
            problems.append("\(path):\(line) is not valid: expected \(expected).")
            return
        }
        guard name != Preset.reservedName else {
            problems.append(
                "\(path):\(line): the name \(name) is not allowed, because presets never apply to requests that do not name "
                    + "them: choose another name, and add it to the URLs."
            )
            return
        }
        guard let entries = value.entries, !entries.isEmpty else {
            problems.append("\(path):\(line): \(name) is not valid: expected parameters, such as width: 400.")
            return
        }
        var pairs: [(name: String, value: String)] = []
        var lines: [String: Int] = [:]
        var freshness = FreshnessRules()
        for (key, value) in entries {
            let word = key.text ?? ""
            lines[word] = key.line
            guard let text = value.texts?.joined(separator: ",") else {
                let place = key.line
                problems.append("\(path):\(place): \(ParameterError.shortened(word)) of \(name) is missing a value.")
                return
            }
            if let kind = FreshnessRules.Kind(rawValue: word) {
                freshness[kind] = Freshness(text)
                if freshness[kind] == nil {
                    problems.append(
                        "\(path):\(key.line): \(word) of \(name) is not valid: expected \(Freshness.expected)."
                    )
                }
                continue
            }
            pairs.append((word, text))
        }
        do throws(ParameterErrors) {
            var preset = try Preset(name, pairs)
            preset.freshness = freshness
            presets.append(preset)
        } catch {
            for one in error.all {
                problems.append("\(path):\(lines[one.name] ?? line): preset \(name): \(one.sentence)")
            }
        }
    }
}
