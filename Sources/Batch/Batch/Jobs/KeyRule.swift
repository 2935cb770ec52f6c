/// The rule that derives the key of a row without the column `key`.
package enum KeyRule: String, CaseIterable, Sendable {
    /// The path without its extension, relative to the input folder.
    case stem
    /// The whole path from the input, with its extension, so that no two files have the same key.
    case path
}
