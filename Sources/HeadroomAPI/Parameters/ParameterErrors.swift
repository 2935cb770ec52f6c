/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// At least one.
    package var all: [ParameterError]
}
