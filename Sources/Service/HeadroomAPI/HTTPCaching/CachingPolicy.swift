import HTTPServer
import HTTPTypes
package import Requests

/// The `Cache-Control` of responses, before ``Authorization/limitCaching(of:now:)`` restricts it.
package struct CachingPolicy: Hashable, Sendable {
    /// Whether the origin's `Cache-Control` applies to crops of its images.
    package var followsOrigin: Bool

    /// The freshness of each kind of response, as configured.
    package var rules = FreshnessRules()

    /// Creates a policy with the default freshness.
    ///
    /// - Parameter followsOrigin: Whether the origin's `Cache-Control` applies to crops of its images.
    package init(followsOrigin: Bool = false) { self.followsOrigin = followsOrigin }

    /// The maximum freshness, in seconds, of a degraded result whose source is available; the failure may be temporary.
    private static let maxDegradedSeconds = 60

    /// Returns the value for a successful response; `origin` is the `Cache-Control` of the source.
    func value(_ rules: FreshnessRules, isVersioned: Bool, origin: String?) -> String {
        if followsOrigin, let origin, let value = OriginDirectives.value(origin) { return value }
        return rules.freshness(of: isVersioned ? .versioned : .crops).cacheControl
    }

    /// Returns the value for a degraded response.
    static func value(_ rules: FreshnessRules, ofFallbackImage isFallbackImage: Bool) -> String {
        isFallbackImage
            ? rules.freshness(of: .fallbacks).cacheControl
            : rules.freshness(of: .crops).brief(atMost: maxDegradedSeconds).cacheControl
    }
}
