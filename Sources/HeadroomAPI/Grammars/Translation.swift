package import Pipeline

/// A request in another service's words, translated to the parameters of this one.
package struct Translation: Sendable {
    /// Writes the plan of a crop as the other service does.
    package typealias Presenter = @Sendable (FramePlan) -> [UInt8]

    /// The address of the picture, as the value of `url`.
    package var source: String
    /// Whether the address contains that of the picture; else the picture is below a configured origin, which clients need
    /// not know.
    package var namesOrigin = true
    /// The parameters without `url`, read like those of a query to `/frame`.
    package var parameters: [(name: ParameterName, value: String)]
    /// Options without an effect here, for the header `Headroom-Ignored`.
    package var ignored: [String]
    /// The expiry that the address names, in seconds since 1970; nil for none.
    package var expires: Int?
    /// Writes the JSON of `format=json`; nil for the plan of this service.
    package var presenter: Presenter?

    /// A translation; without parameters it is the whole picture.
    package init(
        source: String,
        parameters: [(name: ParameterName, value: String)] = [],
        ignored: [String] = []
    ) {
        self.source = source
        self.parameters = parameters
        self.ignored = ignored
    }

    /// The value of a parameter; setting it replaces an earlier one, and nil removes it.
    package subscript(name: ParameterName) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            parameters.removeAll { $0.name == name }
            if let newValue { parameters.append((name, newValue)) }
        }
    }
}
