/// The first line of the results.
struct ResultsHeader: Codable {
    /// The version of the format.
    static let format = 1

    /// The version of the program.
    var headroom: String
    /// The version of the format.
    var results: Int
    /// A digest of all settings that results depend on.
    var settings: String
    /// The ``ChangeTime`` of the run's beginning; nil after `--restart`.
    ///
    /// Results replace only later files, and all files if it is nil.
    var begun: Double?
}
