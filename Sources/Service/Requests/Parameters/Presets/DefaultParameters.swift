/// Parameters that apply to requests without them: to requests of one route, or to all.
///
/// A parameter of a request, or of its preset, has precedence over a default of its route, and this over a default of
/// all routes.
package struct DefaultParameters: Equatable, Sendable {
    /// The section of all routes.
    package static let all = "all"

    private let sections: [Preset]

    /// Creates defaults from the sections of a file; each name is the name of a route, or ``all``.
    package init(_ sections: [Preset] = []) { self.sections = sections }

    /// Returns the defaults of a route.
    ///
    /// - Parameters:
    ///   - route: The name of the route.
    ///   - known: The parameters that the route supports; defaults of ``all`` may contain others.
    ///   - formats: The values of `format` that the route supports.
    /// - Returns: The parameters, each once.
    package func values(
        of route: String,
        known: [Parameter],
        formats: [String]
    ) -> [(parameter: Parameter, value: String)] {
        if sections.isEmpty { return [] }
        func values(_ name: String) -> [(parameter: Parameter, value: String)] {
            // trusted: names of routes and of the operator's sections.
            sections.first { $0.name == name }?.values ?? []
        }
        let own = values(route)
        let names = own.map(\.parameter)
        return own
            + values(Self.all).filter { parameter, value in
                known.contains(parameter) && !names.contains(parameter)
                    && (parameter != .format || FrameParameters.Format.accepted(formats).contains(value))
            }
    }
}
