extension ImageFetcher {
    /// The limits of fetching.
    package struct Configuration: Sendable {
        /// The largest body in bytes, counted after inflation: 1 to 2^40, default 20 MiB.
        package var maxBytes: Int
        /// How long name server, TCP and TLS may take together, for each hop: 1 ms to 1 hour, default 2 s.
        package var connectTimeout: Duration
        /// How long a fetch may take from call to last byte, slot and all hops included: 1 ms to 1 hour, default 5 s.
        package var timeout: Duration
        /// How many redirects are followed: 0 to 100, default 3.
        package var maxRedirects: Int
        /// Whether private and loopback addresses may be contacted, and any port; default false.
        package var allowsPrivateSources: Bool
        /// Ports that may be contacted while private sources are not allowed; default 80 and 443.
        package var allowedPorts: Set<Int>
        /// Hosts that may be contacted, on every hop; nil, the default, allows all that their addresses allow.
        package var allowedHosts: [HostPattern]?
        /// How many fetches run at the same time, each on its own thread: 1 to 128, default 32.
        package var slots: Int
        /// How many fetches may wait for a slot before the next is refused: 0 or more, default 64.
        package var waitingLimit: Int
        /// The `User-Agent` of every request: `Headroom/1.0`.
        package var userAgent: String
        /// The `Accept` field of every request: the types that can be decoded.
        package var accept: String

        /// The defaults, which are meant for URLs from strangers.
        ///
        /// - Parameter userAgent: Name and version of the service.
        package init(userAgent: String) {
            self.maxBytes = 20 << 20
            self.connectTimeout = .seconds(2)
            self.timeout = .seconds(5)
            self.maxRedirects = 3
            self.allowsPrivateSources = false
            self.allowedPorts = [80, 443]
            self.slots = 32
            self.waitingLimit = 64
            self.userAgent = userAgent
            self.accept = "image/jpeg, image/png, image/*;q=0.5, */*;q=0.1"
        }

        /// Everything that is wrong with the values, one sentence each: name, what was received, what is expected.
        package func problems() -> [String] {
            var problems: [String] = []
            func expect(_ holds: Bool, _ name: String, _ received: some Sendable, _ expected: String) {
                if !holds { problems.append("\(name): received \(received), expected \(expected)") }
            }
            let hour = Duration.seconds(3600)
            let aMillisecond = Duration.milliseconds(1)
            expect(1...(1 << 40) ~= maxBytes, "maxBytes", maxBytes, "1 to 2^40 bytes")
            expect(aMillisecond...hour ~= connectTimeout, "connectTimeout", connectTimeout, "1 ms to 1 hour")
            expect(aMillisecond...hour ~= timeout, "timeout", timeout, "1 ms to 1 hour")
            expect(0...100 ~= maxRedirects, "maxRedirects", maxRedirects, "0 to 100")
            expect(allowedPorts.allSatisfy { 1...65535 ~= $0 }, "allowedPorts", allowedPorts, "1 to 65535 each")
            expect(1...128 ~= slots, "slots", slots, "1 to 128")
            expect(waitingLimit >= 0, "waitingLimit", waitingLimit, "0 or more")
            expect(Self.isFieldValue(userAgent), "userAgent", userAgent, "visible ASCII")
            expect(Self.isFieldValue(accept), "accept", accept, "visible ASCII")
            return problems
        }

        /// Why a URL must not be fetched, whatever its name leads to; nil when it may be, as far as the address may.
        ///
        /// - Returns: Words for the log.
        package func refusal(of url: SourceURL) -> String? {
            let isUsualPort = allowsPrivateSources || allowedPorts.contains(url.port)
            guard let allowedHosts else {
                return isUsualPort ? nil : "port \(url.port) is not allowed"
            }
            let isAllowed = allowedHosts.contains { $0.matches(url) && ($0.port != nil || isUsualPort) }
            return isAllowed ? nil : "\(url.host):\(url.port) is not among the allowed hosts"
        }

        private static func isFieldValue(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        }
    }
}
