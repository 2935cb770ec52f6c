/// The kind of service that the URL of an object names; the raw value is the scheme.
package enum ObjectScheme: String, CaseIterable, Sendable {
    /// An S3-compatible service.
    case s3
    /// Google Cloud Storage.
    case google = "gs"
    /// Azure Blob Storage, with imgproxy's scheme.
    case azure = "abs"

    /// The setting that turns the service on.
    package var setting: String {
        switch self {
        case .s3: "--s3-buckets"
        case .google: "--gs-buckets"
        case .azure: "--azure-containers"
        }
    }
}
