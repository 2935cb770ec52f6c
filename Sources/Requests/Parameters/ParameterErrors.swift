/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// The errors; at least one.
    package var all: [ParameterError]

    package init(all: [ParameterError]) { self.all = all }
}
