import TotalFunctions

/// The limits of fetching.
package struct FetchConfiguration: Sendable {
    /// The maximum size of a body in bytes, before and after decoding each coding: 1 to 2^40.
    package var maxBytes = 20 << 20
    /// The memory budget of all bodies that are being received or are in use (see ``ImageFetcher/budget``), in bytes:
    /// at least twice ``maxBytes``.
    package var maxBytesInHand = 256 << 20
    /// Time limit of name resolution, TCP and TLS together, per hop: 1 ms to 1 hour.
    package var connectTimeout = Duration.seconds(2)
    /// Time limit of a fetch from the call to the last byte, including the wait for a slot and all hops: 1 ms to 1
    /// hour.
    package var timeout = Duration.seconds(5)
    /// The maximum number of redirects: 0 to 100.
    package var maxRedirects = 10
    /// Whether private and loopback addresses and all ports may be contacted.
    package var allowsPrivateSources = false
    /// The allowed ports if private sources are not allowed.
    package var allowedPorts: Set<Int> = [80, 443]
    /// The settings that may be replaced while a service runs: the lists of hosts, the rewriting rules, the S3 service
    /// of buckets, and the network route to origins.
    package var rules = FetchRules()
    /// The folder of `local:` URLs; nil, the default, refuses them.
    package var localFolder: LocalFolder?
    /// The base of relative URLs; nil, the default, refuses them.
    package var base: BaseURL?
    /// The number of concurrent fetches, each on its own thread: 1 to 128.
    package var slots = 32
    /// The number of slots that one host may use; 0 for all slots.
    ///
    /// Hosts are identified by the name and port of the first request.
    ///
    /// Nil, the default, means half of the slots, so that an unresponsive origin leaves the other half free.
    package var slotsPerHost: Int?
    /// The number of slots that one client may use.
    ///
    /// The default of 0 allows all slots, because a proxy counts as one client.
    package var slotsPerClient = 0
    /// The maximum number of fetches that wait for a slot, 0 or more.
    ///
    /// Additional fetches are rejected.
    package var waitingLimit = 64
    /// Looks up names that libcurl did not resolve; tests replace it.
    package var names = NameLookup()
    /// The `User-Agent` of every request: `Headroom/1.0`.
    package var userAgent: String
    /// The `Accept` field of every request, which lists the types that can be decoded.
    package var accept = "image/jpeg, image/png, image/*;q=0.5, */*;q=0.1"

    /// Creates the default configuration, which is safe for URLs from untrusted clients; `userAgent` is the name and
    /// version of the service.
    package init(userAgent: String) { self.userAgent = userAgent }

    /// Returns the maximum number of waiting fetches, from 64 to 4096.
    ///
    /// All of them can start in time if each fetch takes a quarter of a second.
    ///
    /// If fetches take longer, the queue estimates the wait and rejects fetches that cannot start in time.
    package static func waitingLimit(slots: Int, within time: Duration) -> Int {
        let fetches = Double(slots) * 4 * max(0, time / .seconds(1))
        return Int(clamping: fetches.clamped(to: 64...4096))
    }

    /// Returns a sentence for each invalid value, with its name, the received value and the expected values.
    package func problems() -> [String] {
        var problems: [String] = []
        func expect(_ holds: Bool, _ name: String, _ received: some Sendable, _ expected: String) {
            if !holds { problems.append("\(name): received \(received), expected \(expected)") }
        }
        // bounded: constants
        let times = Duration.milliseconds(1)...Duration.seconds(3600)
        expect(1...(1 << 40) ~= maxBytes, "maxBytes", maxBytes, "1 to 2^40 bytes")
        // A body of unknown length is copied when it grows, which needs twice its memory.
        let minimum = "at least twice maxBytes (\(maxBytes))"
        expect(maxBytesInHand / 2 >= maxBytes, "maxBytesInHand", maxBytesInHand, minimum)
        expect(times ~= connectTimeout, "connectTimeout", connectTimeout, "1 ms to 1 hour")
        expect(times ~= timeout, "timeout", timeout, "1 ms to 1 hour")
        expect(0...100 ~= maxRedirects, "maxRedirects", maxRedirects, "0 to 100")
        expect(allowedPorts.allSatisfy { 1...65535 ~= $0 }, "allowedPorts", allowedPorts, "1 to 65535 each")
        expect(1...128 ~= slots, "slots", slots, "1 to 128")
        expect(0...128 ~= slotsPerHost ?? 0, "slotsPerHost", slotsPerHost ?? 0, "0 to 128")
        expect(0...128 ~= slotsPerClient, "slotsPerClient", slotsPerClient, "0 to 128")
        expect(waitingLimit >= 0, "waitingLimit", waitingLimit, "0 or more")
        expect(Self.isFieldValue(userAgent), "userAgent", userAgent, "visible ASCII")
        expect(Self.isFieldValue(accept), "accept", accept, "visible ASCII")
        return problems
    }

    /// Returns the reason why a URL must not be fetched regardless of its addresses; nil if it may be fetched.
    ///
    /// - Returns: A text for the log.
    package func refusal(of url: SourceURL) -> FetchRefusal? {
        switch url {
        case .web(let url): refusal(of: url)
        case .object(let object):
            if let buckets = rules.buckets(of: object.scheme) {
                buckets.contains(object.bucket)
                    ? nil : FetchRefusal("\(object.bucket) is not an allowed bucket")
            } else {
                FetchRefusal("\(object.scheme.rawValue): URLs are disabled; set \(object.scheme.setting)")
            }
        case .file: localFolder == nil ? FetchRefusal("local: URLs are disabled; set --local-root") : nil
        }
    }

    private func refusal(of url: WebURL) -> FetchRefusal? {
        if rules.deniedHosts?.contains(where: { $0.mayReach(url) }) == true {
            return FetchRefusal("\(url.host):\(url.port) is a denied host", .deniedHost)
        }
        let isUsualPort = allowsPrivateSources || allowedPorts.contains(url.port)
        guard let allowedHosts = rules.allowedHosts else {
            return isUsualPort ? nil : FetchRefusal("port \(url.port) is not allowed", Self.cause(ofPort: url))
        }
        let isAllowed = allowedHosts.contains { $0.matches(url) && ($0.port != nil || isUsualPort) }
        return isAllowed ? nil : FetchRefusal("\(url.host):\(url.port) is not an allowed host", .host)
    }

    /// Returns the rule that refuses a URL with an unusual port.
    ///
    /// A refused address takes precedence over the port.
    private static func cause(ofPort url: WebURL) -> FetchRefusal.Cause {
        if let address = url.address {
            return AddressPolicy.publicOnly.refusal(of: address) == nil ? .port(url.port) : address.cause
        }
        if FetchOutlet.metadataNames.contains(url.host) { return .forbiddenAddress }
        return FetchOutlet.isLocalName(url.host) ? .privateAddress : .port(url.port)
    }

    private static func isFieldValue(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
