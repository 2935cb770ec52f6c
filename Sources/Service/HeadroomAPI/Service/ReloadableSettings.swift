package import Fetching
package import Requests

/// The settings that a reload replaces while a service runs; all other settings of ``HeadroomService/Configuration``
/// need a restart.
package struct ReloadableSettings: Sendable {
    /// Who may request images.
    package var access = AccessPolicy()
    /// The bearer tokens of operators, who may purge sources; empty for a service without the route.
    package var purgeSecrets: [Secret] = []
    /// Which web pages may read responses with scripts.
    package var crossOrigin = CrossOriginPolicy.none
    /// The proxies that are trusted to report the addresses of clients.
    package var trustedProxies = TrustedProxies()
    /// The other services whose URLs are served.
    package var urlFormats = URLFormatSet()
    /// The stickers and watermarks that requests may name.
    package var overlays = OverlaySet()
    /// The presets that requests may name.
    package var presets = PresetSet()
    /// Values for parameters that a request does not contain.
    package var defaults = DefaultParameters()
    /// The parameters that requests without a signature may contain and that are ignored.
    package var ignoredParameters = IgnoredParameters()
    /// The freshness of responses.
    package var caching = CachingPolicy()
    /// The fields that contain the tags of responses.
    package var tagHeaders = TagHeaders.standard
    /// The fields that are added to every response.
    package var fixedFields = FixedFields()
    /// The fallback image; nil for none.
    package var missingImage: FallbackImage?
    /// The status of responses with a fallback image.
    package var fallbackImageStatus = FallbackImageStatus.standard
    /// The rules of fetching: allowed and denied hosts, URL rewriting, the S3 service of buckets, and the network route
    /// to origins.
    package var fetchRules = FetchRules()

    /// Creates the settings of a service without credentials, with defaults for all other settings.
    package init() {}
}
