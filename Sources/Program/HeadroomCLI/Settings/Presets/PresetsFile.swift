import Requests
import Yams

/// A file of presets: a YAML mapping of names to parameters of requests.
struct PresetsFile {
    static let maxBytes = 1 << 20

    private(set) var presets: [Preset] = []
    /// The errors of the file, as sentences.
    private(set) var problems: [String] = []
    private let path: String

    /// Parses the presets in YAML; errors, which name the file, are collected in ``problems``.
    init(_ text: String, path: String) {
        self.path = path
        for (name, value) in YAMLProblem.entries(text, path: path, of: "preset", with: "parameters", &problems) {
            add(name, value)
        }
        if presets.count > PresetSet.mostPresets {
            problems.append("\(path) has \(presets.count) presets: expected at most \(PresetSet.mostPresets).")
        }
    }

    private mutating func add(_ key: Node, _ value: Node) {
        let line = key.mark?.line ?? 1
        guard let name = key.scalar?.string, Preset.isName(name) else {
            let expected = "a name of at most \(Preset.longestName) letters a to z, digits and hyphens"
            problems.append("\(path):\(line) is not valid: expected \(expected).")
            return
        }
        guard let mapping = value.mapping, !mapping.isEmpty else {
            problems.append("\(path):\(line): \(name) is not valid: expected parameters, such as width: 400.")
            return
        }
        var pairs: [(name: String, value: String)] = []
        var lines: [String: Int] = [:]
        for (key, value) in mapping {
            let word = key.scalar?.string ?? ""
            lines[word] = key.mark?.line ?? line
            guard let text = value.texts?.joined(separator: ",") else {
                let place = key.mark?.line ?? line
                problems.append("\(path):\(place): \(ParameterError.shortened(word)) of \(name) has no value.")
                return
            }
            pairs.append((word, text))
        }
        do throws(ParameterErrors) {
            presets.append(try Preset(name, pairs))
        } catch {
            for one in error.all {
                problems.append("\(path):\(lines[one.name] ?? line): preset \(name): \(one.sentence)")
            }
        }
    }
}

extension Node {
    /// The value, or the members of a list, as text; nil for null, for mappings, and for lists with one of these.
    var texts: [String]? {
        switch self {
        case .scalar(let scalar) where null == nil: return [scalar.string]
        case .sequence(let members):
            let texts = members.map { $0.null == nil ? $0.scalar?.string : nil }
            return texts.contains(nil) ? nil : texts.compactMap(\.self)
        default: return nil
        }
    }
}
