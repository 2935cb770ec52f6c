/// The fetch settings that may be replaced while a service runs; all other settings of ``FetchConfiguration`` need a
/// restart.
package struct FetchRules: Equatable, Sendable {
    /// Allowed hosts, checked on every hop.
    ///
    /// Nil allows all hosts whose addresses are allowed.
    package var allowedHosts: [HostPattern]?
    /// Denied hosts, checked on every hop.
    ///
    /// ``allowedHosts`` does not override them. Nil denies no host.
    package var deniedHosts: [HostPattern]?
    /// Rules that rewrite the beginning of clients' URLs.
    package var rewrites = SourceRewrites()
    /// The keys of encrypted URLs; nil refuses these URLs.
    package var cipher: URLCipher?
    /// The service of `s3:` URLs; nil refuses these URLs.
    package var s3: S3Configuration?
    /// The service of `gs:` URLs; nil refuses these URLs.
    package var google: GoogleConfiguration?
    /// The service of `abs:` URLs; nil refuses these URLs.
    package var azure: AzureConfiguration?
    /// The proxy and the certificates for connections.
    package var outlet = FetchOutlet()
    /// Header fields that are sent only to named hosts.
    package var hostFields = HostFields()

    /// The buckets of a scheme; nil if its URLs are refused.
    package func buckets(of scheme: ObjectScheme) -> S3BucketList? {
        switch scheme {
        case .s3: s3?.buckets
        case .google: google?.buckets
        case .azure: azure?.containers
        }
    }

    /// The schemes of objects whose URLs are accepted.
    package var objectSchemes: [ObjectScheme] { ObjectScheme.allCases.filter { buckets(of: $0) != nil } }

    /// Creates rules without lists of hosts, buckets, a proxy or fields.
    package init() {}
}
