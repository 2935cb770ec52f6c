/// The kind of service that an object's URL refers to; the raw value is the scheme.
package enum ObjectScheme: String, CaseIterable, Sendable {
    /// An S3-compatible service.
    case s3
    /// Google Cloud Storage.
    case google = "gs"
    /// Azure Blob Storage, with the same scheme as imgproxy.
    case azure = "abs"

    /// The setting that enables the service.
    package var setting: String {
        switch self {
        case .s3: "--s3-buckets"
        case .google: "--gs-buckets"
        case .azure: "--azure-containers"
        }
    }
}
