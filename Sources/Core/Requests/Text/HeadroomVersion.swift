/// The version of Headroom (semantic versioning).
package enum HeadroomVersion {
    package static let current = "0.1.0"
}
