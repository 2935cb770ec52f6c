/// A second level behind the memory of this process, which other processes share.
///
/// It may be slow, full or gone: then it knows nothing and keeps nothing, and costs hardly any time.
package protocol SharedStore: Sendable {
    /// The bytes of a key; nil where there are none, or they cannot be had at once.
    func bytes(for key: String) async -> [UInt8]?

    /// Keeps bytes in the background, if that is possible.
    func keep(_ bytes: [UInt8], for key: String, lifetime: Duration)
}
