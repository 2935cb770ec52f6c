/// The version of detector, framing and encoders.
package enum ResponseVersion {
    /// Each change that affects any response raises it, which invalidates caches and the results of batches.
    package static let current = 13
}
