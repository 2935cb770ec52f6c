/// The key of a value in a result store, and the labels whose purge removes the value.
package struct StoredKey: Hashable, Sendable {
    /// The whole key, including the version of the program.
    package let text: String
    /// The tags of the sources and the digests of their contents, in ASCII without line ends.
    package let labels: [String]

    /// Creates a key with its labels.
    package init(_ text: String, labels: [String]) {
        self.text = text
        self.labels = labels
    }
}
