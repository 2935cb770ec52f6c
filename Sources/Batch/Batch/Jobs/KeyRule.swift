/// What the key of a row without the column `key` is made of.
package enum KeyRule: String, CaseIterable, Sendable {
    /// The path without its extension, relative to the folder that is the input.
    case stem
    /// The whole path as it was given, with its extension, so that no two files have the same key.
    case path
}
