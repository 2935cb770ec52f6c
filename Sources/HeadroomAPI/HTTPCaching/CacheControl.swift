import UntrustedText
import Fetching
import HTTPServer

/// The `Cache-Control` of successful responses, before ``Grant/limitCaching(of:now:)`` restricts it.
package struct CachingPolicy: Hashable, Sendable {
    /// Whether the origin's `Cache-Control` applies to crops of its pictures.
    package var followsOrigin: Bool

    package init(followsOrigin: Bool = false) { self.followsOrigin = followsOrigin }

    /// For temporary errors and degraded results: a minute.
    package static let brief = "public, max-age=60"

    /// Serves stale responses for an hour while revalidating and for a day on errors (RFC 5861 §3, §4).
    private static let staleness = "stale-while-revalidate=3600, stale-if-error=86400"

    /// For addresses whose picture may change: a day.
    private static let standard = "public, max-age=86400, \(staleness)"

    /// For signed and versioned addresses, which change with the picture: a year, without revalidation (RFC 8246).
    private static let versioned = "public, max-age=31536000, immutable, \(staleness)"

    /// The value for a successful response; `origin` is the `Cache-Control` of the source.
    func value(isVersioned: Bool, origin: String?) -> String {
        if followsOrigin, let origin, let value = OriginDirectives.value(origin) { return value }
        return isVersioned ? Self.versioned : Self.standard
    }
}

/// The origin's `Cache-Control` as responses repeat it.
enum OriginDirectives {
    private static let plain: Set<Substring> = [
        "public", "private", "no-cache", "must-revalidate", "proxy-revalidate", "no-transform", "immutable",
    ]
    private static let timed: Set<Substring> = ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"]

    private static let permitting: Set<Substring> = ["public", "immutable"]

    /// The directives that hold for a response made of two sources: the restrictions of both, and the shorter times.
    ///
    /// - Returns: The text of a field; nil without any.
    static func strictest(_ one: String?, _ other: String?) -> String? {
        guard let one, let other else { return one ?? other }
        let (first, second) = (CacheDirectives(one), CacheDirectives(other))
        let kept = (first.all + second.all).compactMap { name, value -> String? in
            if permitting.contains(name) { return first.has(name) && second.has(name) ? "\(name)" : nil }
            guard timed.contains(name) else { return "\(name)" }
            // Without a time of their own, shared caches use `max-age`.
            let times = [first, second].compactMap { directives in
                directives.seconds(name) ?? (name == "s-maxage" ? directives.seconds("max-age") : nil)
            }.map(\.count)
            return times.min().map { "\(name)=\($0)" }
        }
        var seen: Set<String> = []
        return kept.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// The known directives (RFC 9111 §5.2.2, RFC 5861, RFC 8246), each once, in lower case; unknown directives are
    /// dropped.
    ///
    /// - Returns: Nil when no directive is left, so that the service's own policy applies.
    static func value(_ text: String) -> String? {
        let directives = CacheDirectives(text)
        // `no-store` overrides every other directive.
        if directives.has("no-store") { return "no-store" }
        let kept = directives.all.compactMap { name, value -> String? in
            // Field names in `private` and `no-cache` refer to the origin's fields; without them the directive covers
            // the whole response.
            if plain.contains(name) { return String(name) }
            guard timed.contains(name), let seconds = value.flatMap(CacheDirectives.seconds) else { return nil }
            return "\(name)=\(seconds.count)"
        }
        return kept.isEmpty ? nil : kept.joined(separator: ", ")
    }
}

/// The freshness lifetime of a fetched source (RFC 9111 §4.2).
struct OriginFreshness: Hashable {
    /// The lifetime when the origin states none: short enough for a person who has just replaced a picture.
    static let unstated = DeltaSeconds(clamping: 60)

    /// The longest lifetime, so that a replaced picture is not served for days.
    static let longest = DeltaSeconds(clamping: 3600)

    /// The remaining lifetime; 0 requires revalidation for each use, nil forbids storing.
    let lifetime: DeltaSeconds?

    /// Whether the stale source may be served when the origin fails (RFC 5861 §4).
    let allowsStale: Bool

    /// The freshness of an origin's response, which may be a 304; `now` replaces a missing `Date`.
    ///
    /// All clients share a source, so the rules for shared caches apply: `private` and `s-maxage` (§5.2.2).
    init(of image: FetchedImage, now: UnixTime) {
        let directives = CacheDirectives(image.cacheControl ?? "")
        let forbids = directives.has("no-store") || directives.has("private")
        let mustAsk = directives.has("no-cache")
        allowsStale =
            !forbids && !mustAsk && !directives.has("must-revalidate") && !directives.has("proxy-revalidate")
        let stated =
            directives.seconds("s-maxage") ?? directives.seconds("max-age")
            ?? image.expires.map { $0 - (image.date ?? now) }
        let none = DeltaSeconds(clamping: 0)
        let left = stated.map { $0 - (image.age ?? none) } ?? Self.unstated
        lifetime = forbids ? nil : mustAsk ? none : min(left, Self.longest)
    }

    /// The end of freshness of a source that was fetched or revalidated at `now`.
    func end(from now: UnixTime) -> UnixTime { lifetime.map { now + $0 } ?? now }
}

/// The directives of a `Cache-Control` (RFC 9111 §5.2); of repeated directives the first counts.
struct CacheDirectives {
    /// Names in lower case, in order, each with the text after `=`.
    let all: [(name: Substring, value: Substring?)]

    init(_ text: String) {
        var names: Set<Substring> = []
        all = text.bytes.lowercased().listElements.compactMap { directive in
            let sides = directive.bytes.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].bytes.prefix(before: " \t")
            // Names are those of ``OriginDirectives``; no other one matters.
            guard name.bytes.isWord(atMost: 32), names.insert(name).inserted else { return nil }
            return (name, sides.count == 2 ? sides[1] : nil)
        }
    }

    /// Whether a directive is present, with or without a value.
    func has(_ name: Substring) -> Bool { all.contains { $0.name == name } }

    /// The seconds of a directive; nil when it is absent or has no number.
    func seconds(_ name: Substring) -> DeltaSeconds? { all.first { $0.name == name }?.value.flatMap(Self.seconds) }

    /// Parses a number of seconds, optionally quoted (RFC 9111 §5.2).
    static func seconds(_ text: Substring) -> DeltaSeconds? {
        DeltaSeconds(digits: String(decoding: text.utf8.filter { !"\" \t".utf8.contains($0) }, as: UTF8.self))
    }
}
