/// The version of the detector, the framing and the encoders.
package enum ResponseVersion {
    /// Every change that affects any response increments it, which invalidates caches and the results of batches.
    package static let current = 14
}
