import Encodings

/// The presets that requests may name.
package struct PresetSet: Equatable, Sendable {
    package static let maxPresets = 200
    /// The parameters that a request may contain if only presets are allowed.
    static let besidePresets: [Parameter] = [.preset, .url, .version]

    /// Whether requests may only use a preset, `url` and `v`.
    package let isExclusive: Bool
    private let presets: [String: Preset]

    /// Creates a set of presets with different names.
    ///
    /// - Parameters:
    ///   - presets: The presets.
    ///   - isExclusive: Whether requests may not use other parameters.
    package init(_ presets: [Preset] = [], isExclusive: Bool = false) {
        var byName: [String: Preset] = [:]
        for preset in presets { byName[preset.name] = preset }
        self.presets = byName
        self.isExclusive = isExclusive
    }

    /// All presets and ``isExclusive`` as text, for cache keys: sets with equal texts expand requests in the same way;
    /// empty without presets.
    package var canonicalText: String {
        if isEmpty { return "" }
        let lines = presets.values.sorted { $0.name < $1.name }.map { preset in
            preset.name + preset.values.map { "&\($0.parameter.name)=\(PercentEncoding.encoded($0.value))" }.joined()
        }
        return (isExclusive ? "only\n" : "") + lines.joined(separator: "\n")
    }

    package var isEmpty: Bool { presets.isEmpty }

    /// All names, in alphabetical order.
    package var names: [String] { presets.keys.sorted() }

    /// The preset with a name; nil if it does not exist.
    package subscript(name: String) -> Preset? { presets[name] }

    /// Returns the pairs of a request, followed by the pairs of its preset that the request does not override.
    ///
    /// `allowed` contains the presets that the client may name; nil and `*` allow every preset.
    ///
    /// - Throws: Errors for an unknown preset, for a preset that the client may not name, and for parameters that
    ///   cannot be combined with presets.
    func expanded(
        _ pairs: [(name: String, value: String)],
        allowed: [String]?
    ) throws(ParameterErrors) -> [(name: String, value: String)] {
        if isExclusive { try checkExclusive(pairs) }
        guard let given = pairs.first(where: { $0.name == Parameter.preset.name }) else { return pairs }
        // trusted: names that the operator configured.
        let names = names.filter { name in allowed.map { $0.contains(name) || $0.contains("*") } ?? true }
        guard Preset.isName(given.value), names.contains(given.value), let preset = presets[given.value] else {
            let name = Parameter.preset.name
            guard names.isEmpty else {
                let expected = "one of \(names.joined(separator: ", "))"
                throw ParameterErrors(all: [.init(name: name, received: given.value, expected: expected)])
            }
            let reason =
                isEmpty ? "the service has no presets, which require --presets" : "this client may not use presets"
            let error = ParameterError(name: name, received: given.value, breaks: "is not allowed: \(reason)")
            throw ParameterErrors(all: [error])
        }
        let own = Set(pairs.map(\.name))
        return pairs + preset.values.filter { !own.contains($0.parameter.name) }.map { ($0.parameter.name, $0.value) }
    }

    private func checkExclusive(_ pairs: [(name: String, value: String)]) throws(ParameterErrors) {
        let permitted = Self.besidePresets.map(\.name)
        var errors = pairs.filter { !permitted.contains($0.name) }.map { pair in
            var error = ParameterError(
                name: pair.name,
                received: pair.value,
                breaks: "is not allowed: this service accepts only preset, url and v"
            )
            error.mayBelongToURL = true
            return error
        }
        if !pairs.contains(where: { $0.name == Parameter.preset.name }) {
            let expected = "one of \(names.joined(separator: ", ")): this service accepts presets only"
            errors.append(ParameterError(name: Parameter.preset.name, received: nil, expected: expected))
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
    }
}
