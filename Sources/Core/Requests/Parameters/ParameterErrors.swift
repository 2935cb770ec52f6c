/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// The errors; at least one.
    package var all: [ParameterError]

    /// Creates the errors of a request, in the order in which they are reported; at least one.
    package init(all: [ParameterError]) { self.all = all }

    /// Returns the errors with the names that the request contained.
    package func named(as used: [DeprecatedName]) -> ParameterErrors {
        ParameterErrors(
            all: all.map { error in
                guard let old = used.first(where: { $0.kind == .parameter && $0.new == error.name })?.old else {
                    return error
                }
                var error = error
                error.name = old
                return error
            }
        )
    }
}
