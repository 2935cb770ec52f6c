import Encodings

/// Parameters with a name: `preset=avatar` stands for all of them.
package struct Preset: Equatable, Sendable {
    /// The longest name, in characters.
    package static let longestName = 40
    /// The parameters that are each request's own.
    package static let excluded: [Parameter] = [.url, .version, .preset, .download]

    /// Letters a to z, digits and hyphens.
    package let name: String
    /// The parameters with their values, in the order of documents.
    package let values: [(parameter: Parameter, value: String)]

    /// Checks the parameters of a preset with a name as ``isName(_:)`` allows it; throws the errors of a request with
    /// them.
    package init(_ name: String, _ pairs: [(name: String, value: String)]) throws(ParameterErrors) {
        let known = Parameter.of(.all).filter { !Self.excluded.contains($0) }
        _ = try FrameParameters(pairs, known: known)
        self.name = name
        // Kept as written, because `auto` is resolved for each client.
        values = Parameter.all.compactMap { parameter in
            pairs.first { $0.name == parameter.name }.map { (parameter, $0.value) }
        }
    }

    /// Whether a text is a name.
    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: longestName) }

    package static func == (left: Preset, right: Preset) -> Bool {
        left.name == right.name && left.values.map(\.parameter) == right.values.map(\.parameter)
            && left.values.map(\.value) == right.values.map(\.value)
    }
}

/// The presets that requests may name.
package struct PresetSet: Equatable, Sendable {
    package static let mostPresets = 200
    /// The parameters that a request may have if it may have presets only.
    static let besidePresets: [Parameter] = [.preset, .url, .version]

    /// Whether requests may have no other parameters than a preset, `url` and `v`.
    package let isExclusive: Bool
    /// A digest of all presets and of ``isExclusive``; part of cache keys, so that entries are not used after a change.
    package let digest: String
    private let presets: [String: Preset]

    package init(_ presets: [Preset] = [], isExclusive: Bool = false) {
        var byName: [String: Preset] = [:]
        for preset in presets { byName[preset.name] = preset }
        self.presets = byName
        self.isExclusive = isExclusive
        let lines = byName.values.sorted { $0.name < $1.name }.map { preset in
            preset.name + preset.values.map { "&\($0.parameter.name)=\(PercentEncoding.encoded($0.value))" }.joined()
        }
        let text = (isExclusive ? "only\n" : "") + lines.joined(separator: "\n")
        digest = presets.isEmpty ? "" : Hexadecimal.text(SHA256.digest(of: Array(text.utf8)))
    }

    package var isEmpty: Bool { presets.isEmpty }

    /// All names, in alphabetical order.
    package var names: [String] { presets.keys.sorted() }

    package subscript(name: String) -> Preset? { presets[name] }

    /// The received pairs of a request, followed by those of its preset that it does not have itself.
    ///
    /// The client may name the allowed presets; nil and `*` stand for all.
    ///
    /// - Throws: Errors for an unknown preset, one that the client may not name, and parameters beside presets that may
    ///   have none.
    func expanded(
        _ pairs: [(name: String, value: String)],
        allowed: [String]?
    ) throws(ParameterErrors) -> [(name: String, value: String)] {
        if isExclusive { try checkExclusive(pairs) }
        guard let given = pairs.first(where: { $0.name == Parameter.preset.name }) else { return pairs }
        // trusted: names of the operator.
        let names = names.filter { name in allowed.map { $0.contains(name) || $0.contains("*") } ?? true }
        guard Preset.isName(given.value), names.contains(given.value), let preset = presets[given.value] else {
            let expected =
                names.isEmpty
                ? "no preset: \(isEmpty ? "the service has none" : "this client may use none")"
                : "one of \(names.joined(separator: ", "))"
            throw ParameterErrors(all: [
                ParameterError(name: Parameter.preset.name, received: given.value, expected: expected)
            ])
        }
        let own = Set(pairs.map(\.name))
        return pairs + preset.values.filter { !own.contains($0.parameter.name) }.map { ($0.parameter.name, $0.value) }
    }

    private func checkExclusive(_ pairs: [(name: String, value: String)]) throws(ParameterErrors) {
        let permitted = Self.besidePresets.map(\.name)
        var errors = pairs.filter { !permitted.contains($0.name) }.map { pair in
            ParameterError(
                name: pair.name,
                received: pair.value,
                expected: "no \(ParameterError.shortened(pair.name)): this service takes preset, url and v only"
            )
        }
        if !pairs.contains(where: { $0.name == Parameter.preset.name }) {
            let expected = "one of \(names.joined(separator: ", ")): this service takes presets only"
            errors.append(ParameterError(name: Parameter.preset.name, received: nil, expected: expected))
        }
        if !errors.isEmpty { throw ParameterErrors(all: errors) }
    }
}
