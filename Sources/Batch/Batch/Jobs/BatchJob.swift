import Requests

/// One image of a run.
package struct BatchJob: Sendable {
    /// The name of the image in results and outputs; unique in a run.
    package var key: String
    /// Whether the row contains its key, so that ``KeyRule`` does not apply.
    var hasOwnKey = false
    package var source: JobSource
    /// Parameters of this row, which override the parameters of the run.
    package var parameters: [Parameter] = []
    /// Other members of the archive with the same key.
    ///
    /// They are copied to an archive of results.
    package var companions: [ArchiveMember] = []

    /// A parameter of `/frame`, as unchecked text.
    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String

        /// A decoded query parameter.
        ///
        /// - Parameters:
        ///   - name: The name, such as `aspect`.
        ///   - value: The value, such as `16:9`.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
