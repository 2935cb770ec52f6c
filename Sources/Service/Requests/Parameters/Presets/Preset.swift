import Encodings

/// Named parameters: `preset=avatar` represents all of its parameters.
package struct Preset: Equatable, Sendable {
    /// The maximum length of a name, in characters.
    package static let maxNameLength = 40
    /// The parameters that differ for each request.
    package static let excluded: [Parameter] = [.url, .version, .preset, .download]

    /// A name that no preset may have: other services apply a preset of this name to requests without one.
    package static let reservedName = "default"

    /// Letters a to z, digits and hyphens.
    package let name: String
    /// The parameters with their values, in the order of documents.
    package let values: [(parameter: Parameter, value: String)]
    /// The freshness that replaces the service's for requests with the preset.
    package var freshness = FreshnessRules()
    /// The deprecated names and values that the preset uses.
    package let deprecated: [DeprecatedName]

    /// Checks the parameters of a preset, whose name is valid by ``isName(_:)``; throws the errors of a request with
    /// these parameters.
    package init(_ name: String, _ pairs: [(name: String, value: String)]) throws(ParameterErrors) {
        let known = Parameter.of(.all).filter { !Self.excluded.contains($0) }
        deprecated = try FrameParameters(pairs, known: known).deprecated
        let pairs = try DeprecatedName.resolved(pairs).pairs
        self.name = name
        // Unchanged, because `auto` is resolved for each client.
        values = Parameter.all.compactMap { parameter in
            pairs.first { $0.name == parameter.name }.map { (parameter, $0.value) }
        }
    }

    /// Whether a text is a valid name.
    package static func isName(_ text: String) -> Bool { text.isPlainName(atMost: maxNameLength) }

    package static func == (left: Preset, right: Preset) -> Bool {
        left.name == right.name && left.values.map(\.parameter) == right.values.map(\.parameter)
            && left.values.map(\.value) == right.values.map(\.value) && left.freshness == right.freshness
    }
}
