/// The freshness of each kind of response that settings define.
///
/// The service, a tenant and a preset each have rules; the rules of a preset have precedence over the rules of a tenant,
/// and these over the rules of the service.
package struct FreshnessRules: Hashable, Sendable {
    /// A kind of response; the raw value is the name of its setting, and of its entry in the files of tenants and
    /// presets.
    package enum Kind: String, CaseIterable, Sendable {
        /// A crop, a plan or another result, at a URL whose image may change.
        case crops = "cache-control-crops"
        /// The same at a URL that identifies one version of an image: with `v`, or with a signature of this service.
        case versioned = "cache-control-versioned"
        /// A fallback image instead of a missing source.
        case fallbacks = "cache-control-fallbacks"
        /// The problem of a missing source, status 404.
        case missing = "cache-control-missing"
        /// Another problem that the same request would get again: an invalid parameter, an unsupported image, a limit.
        case errors = "cache-control-errors"
    }

    private var crops: Freshness?
    private var versioned: Freshness?
    private var fallbacks: Freshness?
    private var missing: Freshness?
    private var errors: Freshness?

    /// Creates rules that define nothing.
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

    /// Returns these rules with other rules, which have precedence.
    package func overridden(by others: FreshnessRules?) -> FreshnessRules {
        guard let others else { return self }
        var rules = self
        for kind in Kind.allCases { rules[kind] = others[kind] ?? rules[kind] }
        return rules
    }
}
