import HeadroomAPI
import ImageSource

/// Settings of how pictures are fetched by URL.
extension Settings {
    static let fetching = ImageFetcher.Configuration(userAgent: "Headroom/\(HeadroomVersion.current)")

    static let maxSourceBytes = Setting.integer(
        "max-source-bytes",
        "Bytes of a picture fetched by URL at most.",
        in: 1...1_073_741_824,
        default: fetching.maxBytes
    )
    static let allowPrivateSources = Setting.flag(
        "allow-private-sources",
        "Fetch from private and loopback addresses too, and from any port."
    )
    static let allowHosts = Setting<[HostPattern]?>.optional(
        "allow-hosts",
        "Hosts that pictures may be fetched from: example.com, *.example.com, example.com:8443, several with commas "
            + "between.",
        default: "all that are public",
        expected: "hosts with commas between, such as example.com, *.example.com or example.com:8443",
        valueName: "list",
        parse: { text in
            let patterns = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                HostPattern(part.filter { $0 != " " })
            }
            return patterns.contains(nil) ? nil : patterns.compactMap(\.self)
        }
    ).reloadable
    static let connectTimeout = Setting.seconds(
        "connect-timeout",
        "Seconds to connect to where a URL points.",
        default: fetching.connectTimeout
    )
    static let fetchTimeout = Setting.seconds(
        "fetch-timeout",
        "Seconds to fetch a URL, all redirects included.",
        default: fetching.timeout
    )
    static let maxRedirects = Setting.integer(
        "max-redirects",
        "Redirects that are followed.",
        in: 0...20,
        default: fetching.maxRedirects
    )
    static let fetchSlots = Setting.integer(
        "fetch-slots",
        "URLs fetched at the same time.",
        in: 1...128,
        default: fetching.slots
    )
}
