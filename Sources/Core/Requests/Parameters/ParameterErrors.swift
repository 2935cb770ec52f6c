/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// The errors; at least one.
    package var all: [ParameterError]

    /// Creates the errors of a request, in the order in which they are reported; at least one.
    package init(all: [ParameterError]) { self.all = all }
}
