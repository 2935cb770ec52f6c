#if Addresses
import Addresses
#endif
import HeadroomAPI
import Requests
import YAML

/// A file of default parameters: a YAML mapping of routes, or `all`, to parameters of requests.
struct DefaultsFile {
    /// The maximum size of the file, in bytes.
    static let maxBytes = 65_536

    private(set) var sections: [Preset] = []
    /// The errors of the file, as sentences.
    private(set) var problems: [String] = []
    private let path: String

    /// The routes and URL formats that can have defaults, and their parameters.
    private static let routes: [(name: String, known: [Parameter])] =
        [ImageRoute.frame, .faces, .face(1)].map { (name: $0.name, known: $0.defaultParameters) }
        + URLFormatName.allCases.map { (name: $0.rawValue, known: ImageRoute.frame.defaultParameters) }

    /// Parses the defaults in YAML; errors, which contain the file name, are collected in ``problems``.
    init(_ text: String, path: String) {
        self.path = path
        for (name, value) in YAMLProblem.entries(text, path: path, of: "section", with: "parameters", &problems) {
            add(name, value)
        }
    }

    private mutating func add(_ key: YAMLNode, _ value: YAMLNode) {
        let line = key.line
        let names = [DefaultParameters.all] + Self.routes.map(\.name)
        guard let name = key.text, names.contains(name) else {
            problems.append("\(path):\(line) is not valid: expected one of \(names.joined(separator: ", ")).")
            return
        }
        guard let entries = value.entries, !entries.isEmpty else {
            problems.append("\(path):\(line): \(name) is not valid: expected parameters, such as quality: 70.")
            return
        }
        let known = Self.routes.first { $0.name == name }?.known
        var pairs: [(name: String, value: String)] = []
        var lines: [String: Int] = [:]
        for (key, value) in entries {
            let word = key.text ?? ""
            lines[word] = key.line
            guard let text = value.texts?.joined(separator: ",") else {
                problems.append("\(path):\(key.line): \(ParameterError.shortened(word)) of \(name) is missing a value.")
                return
            }
            if let known, let parameter = Parameter.named(word), !known.contains(parameter) {
                problems.append("\(path):\(key.line): \(word) is not a parameter of \(name).")
                return
            }
            pairs.append((word, text))
        }
        do throws(ParameterErrors) {
            sections.append(try Preset(name, pairs))
        } catch {
            for one in error.all {
                problems.append("\(path):\(lines[one.name] ?? line): defaults of \(name): \(one.sentence)")
            }
        }
    }
}
