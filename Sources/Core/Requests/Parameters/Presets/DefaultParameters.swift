/// Parameters for requests that do not contain them, on one route or on all routes.
///
/// A parameter of a request or its preset overrides a default of the route, and a default of the route overrides a
/// default of all routes.
package struct DefaultParameters: Equatable, Sendable {
    /// The name of the section for all routes.
    package static let all = "all"

    private let sections: [Preset]

    /// Creates defaults from the sections of a file.
    ///
    /// The name of each section is the name of a route, or ``all``.
    package init(_ sections: [Preset] = []) { self.sections = sections }

    /// Returns the defaults of a route.
    ///
    /// - Parameters:
    ///   - route: The name of the route.
    ///   - known: The parameters that the route supports; the defaults of ``all`` may contain other parameters.
    ///   - formats: The values of `format` that the route supports.
    /// - Returns: The parameters, without duplicates.
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
