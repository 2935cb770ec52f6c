/// The settings of fetching that may be replaced while a service runs; all others of ``FetchConfiguration`` need a restart.
package struct FetchRules: Equatable, Sendable {
    /// Allowed hosts, checked on every hop; nil allows all hosts with allowed addresses.
    package var allowedHosts: [HostPattern]?
    /// The service of `s3:` URLs; nil refuses them.
    package var s3: S3Configuration?
    /// The proxy and the certificates of connections.
    package var outlet = FetchOutlet()
    /// Fields that are sent to named hosts only.
    package var hostFields = HostFields()

    /// No list of hosts, no buckets, no proxy, and no fields.
    package init() {}
}
