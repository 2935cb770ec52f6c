/// The configured freshness of each kind of response.
///
/// The service, a tenant and a preset can each have rules. The rules of a preset override the rules of a tenant, and
/// the rules of a tenant override the rules of the service.
package struct FreshnessRules: Hashable, Sendable {
    /// A kind of response.
    ///
    /// The raw value is the name of its setting and of its entry in the tenants and presets files.
    package enum Kind: String, CaseIterable, Sendable {
        /// A crop, a plan or another result at a URL whose image may change.
        case crops = "cache-control-crops"
        /// A crop, a plan or another result at a URL that identifies one version of an image, by `v` or by a signature
        /// of this service.
        case versioned = "cache-control-versioned"
        /// A fallback image that replaces a missing source.
        case fallbacks = "cache-control-fallbacks"
        /// The problem for a missing source, with status 404.
        case missing = "cache-control-missing"
        /// Another problem that a repeated request would also get, such as an invalid parameter, an unsupported image
        /// or an exceeded limit.
        case errors = "cache-control-errors"
    }

    private var crops: Freshness?
    private var versioned: Freshness?
    private var fallbacks: Freshness?
    private var missing: Freshness?
    private var errors: Freshness?

    /// Creates rules that define no freshness.
    package init() {}

    /// The rules of a service without settings.
    package static let standard: FreshnessRules = {
        var rules = FreshnessRules()
        var crops = Freshness(maxAge: 86_400)
        crops.staleWhileRevalidate = 3600
        crops.staleIfError = 86_400
        rules[.crops] = crops
        var versioned = crops
        versioned.maxAge = 31_536_000
        versioned.isImmutable = true
        rules[.versioned] = versioned
        rules[.fallbacks] = Freshness(maxAge: 60)
        rules[.missing] = Freshness(maxAge: 60)
        rules[.errors] = .noStore
        return rules
    }()

    /// The freshness of a kind of response; nil if these rules do not define it.
    package subscript(kind: Kind) -> Freshness? {
        get {
            switch kind {
            case .crops: crops
            case .versioned: versioned
            case .fallbacks: fallbacks
            case .missing: missing
            case .errors: errors
            }
        }
        set {
            switch kind {
            case .crops: crops = newValue
            case .versioned: versioned = newValue
            case .fallbacks: fallbacks = newValue
            case .missing: missing = newValue
            case .errors: errors = newValue
            }
        }
    }

    /// Returns the freshness of a kind of response, or its default if these rules do not define it.
    package func freshness(of kind: Kind) -> Freshness { self[kind] ?? Self.standard[kind] ?? .noStore }

    /// Returns these rules, overridden by other rules.
    package func overridden(by others: FreshnessRules?) -> FreshnessRules {
        guard let others else { return self }
        var rules = self
        for kind in Kind.allCases { rules[kind] = others[kind] ?? rules[kind] }
        return rules
    }
}
