import Encodings

/// A named set of parameters: `preset=avatar` has the same effect as all of its parameters.
package struct Preset: Equatable, Sendable {
    /// The maximum length of a name, in characters.
    package static let maxNameLength = 40
    /// The parameters that a preset cannot contain, because they differ in each request.
    package static let excluded: [Parameter] = [.url, .version, .preset, .download]

    /// A name that is not allowed for presets, because other services apply a preset with this name to all requests
    /// that do not name a preset.
    package static let reservedName = "default"

    /// The name: letters a to z, digits and hyphens.
    package let name: String
    /// The parameters with their values, in the order of the documentation.
    package let values: [(parameter: Parameter, value: String)]
    /// Freshness rules for requests with the preset, instead of the rules of the service.
    package var freshness = FreshnessRules()
    /// The deprecated names and values that the preset uses.
    package let deprecated: [DeprecatedName]

    /// Checks the parameters of a preset; the name must be valid by ``isName(_:)``.
    ///
    /// Throws the errors that a request with these parameters would get.
    package init(_ name: String, _ pairs: [(name: String, value: String)]) throws(ParameterErrors) {
        let known = Parameter.of(.all).filter { !Self.excluded.contains($0) }
        deprecated = try FrameParameters(pairs, known: known).deprecated
        let pairs = try DeprecatedName.resolved(pairs).pairs
        self.name = name
        // The values are unchanged, because `auto` is resolved for each client.
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
