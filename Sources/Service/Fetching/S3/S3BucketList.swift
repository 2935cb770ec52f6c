import UntrustedText

/// The configured buckets that may be read: names, or `*` for all buckets that the credentials can read.
package struct S3BucketList: Hashable, Sendable {
    /// The names; nil for all buckets.
    private let names: Set<String>?

    /// Parses names separated by commas, or `*`; nil if the text is invalid.
    package init?(_ text: String) {
        let names = text.bytes.split(separator: ",", omittingEmptySubsequences: false).map { $0.bytes.withoutSpaces() }
        guard names != ["*"] else {
            self.names = nil
            return
        }
        guard names.allSatisfy({ (try? S3URL("s3://\($0)/x"))?.bucket == $0 }) else { return nil }
        self.names = Set(names)
    }

    func contains(_ bucket: String) -> Bool { names?.contains(bucket) ?? true }
}
