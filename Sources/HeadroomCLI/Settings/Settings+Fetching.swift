import Fetching
import Requests

/// Settings for fetching pictures by URL.
extension Settings {
    static let fetching = FetchConfiguration(userAgent: "Headroom/\(HeadroomVersion.current)")

    static let maxSourceBytes = Setting.integer(
        "max-source-bytes",
        "Maximum size of a fetched picture in bytes.",
        in: 1...1_073_741_824,
        default: fetching.maxBytes
    )
    static let maxSourceMemory = Setting.integer(
        "max-source-memory",
        "Memory limit in MiB for all fetched pictures being received, queued or processed; beyond it requests get 503.",
        in: 1...1_048_576,
        default: fetching.maxBytesInHand >> 20,
        valueName: "MiB"
    )
    static let allowPrivateSources = Setting.flag(
        "allow-private-sources",
        "Allow fetching from private and loopback addresses and from any port."
    )
    static let allowHosts = Setting<[HostPattern]?>.optional(
        "allow-hosts",
        "Hosts to fetch pictures from: example.com, *.example.com, example.com:8443; a comma-separated list, or none.",
        default: "all public hosts",
        expected: "comma-separated hosts such as example.com, *.example.com or example.com:8443, or none",
        valueName: "list",
        parse: { text in
            if text == "none" { return [] }
            let patterns = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                hostPattern(part)
            }
            return patterns.contains(nil) ? nil : patterns.compactMap(\.self)
        }
    ).reloadable
    /// A pattern, without regard to blanks.
    static func hostPattern(_ text: some StringProtocol) -> HostPattern? {
        HostPattern(String(text.filter { $0 != " " }))
    }

    static let connectTimeout = Setting.seconds(
        "connect-timeout",
        "Seconds to connect to the host of a URL.",
        default: fetching.connectTimeout
    )
    static let fetchTimeout = Setting.seconds(
        "fetch-timeout",
        "Seconds to fetch a URL, including all redirects.",
        default: fetching.timeout
    )
    static let maxRedirects = Setting.integer(
        "max-redirects",
        "Maximum number of redirects.",
        in: 0...20,
        default: fetching.maxRedirects
    )
    static let fetchSlots = Setting.integer(
        "fetch-slots",
        "Maximum number of concurrent fetches.",
        in: 1...128,
        default: fetching.slots
    )
    static let fetchQueue = Setting.integer(
        "fetch-queue",
        "Maximum number of fetches that wait for a slot; further ones get 503.",
        in: 0...100_000,
        default: FetchConfiguration.waitingLimit(slots: fetching.slots, within: queueTimeout.standard),
        words: "4 per slot and second of --queue-timeout"
    )
    static let fetchSlotsPerHost = Setting.integer(
        "fetch-slots-per-host",
        "URLs of one host fetched at the same time, 0 for no limit.",
        in: 0...128,
        default: (fetching.slots + 1) / 2,
        words: "half of --fetch-slots"
    )
    static let fetchSlotsPerClient = Setting.integer(
        "fetch-slots-per-client",
        "URLs fetched at the same time for one client address, 0 for no limit.",
        in: 0...128,
        default: fetching.slotsPerClient
    )
}
