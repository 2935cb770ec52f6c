/// The version of Headroom (semantic versioning).
package enum HeadroomVersion {
    package static let current = "0.1.0"
}

/// The version of detector, framing and encoders.
package enum ResponseVersion {
    /// Each change that affects any response raises it, which invalidates caches and the results of batches.
    package static let current = 9
}
