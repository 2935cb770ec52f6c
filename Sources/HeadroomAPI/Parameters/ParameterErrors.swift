/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// The errors; at least one.
    package var all: [ParameterError]
}
