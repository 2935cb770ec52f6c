/// The version of Headroom (semantic versioning).
package enum HeadroomVersion {
    /// The version of this build.
    package static let current = "0.1.0"
}
