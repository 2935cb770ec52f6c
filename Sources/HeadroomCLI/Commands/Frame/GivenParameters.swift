/// The parameters of a request that were given as options.
///
/// - Parameter options: Names of parameters, with the text of their options; nil where an option is missing.
/// - Returns: Names and values, in the same order.
func givenParameters(_ options: [(String, String?)]) -> [(name: String, value: String)] {
    options.compactMap { name, value in value.map { (name, $0) } }
}
