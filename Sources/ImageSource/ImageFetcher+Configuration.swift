extension ImageFetcher {
    /// The limits of fetching.
    package struct Configuration: Sendable {
        /// The largest body in bytes, counted after inflation. Default 20 MiB, at least 1.
        package var maxBytes: Int
        /// How long the name server, TCP and TLS may take together, for each hop. Default 2 s.
        package var connectTimeout: Duration
        /// How long a fetch may take, from the call to the last byte: wait for a slot and all hops. Default 5 s.
        package var timeout: Duration
        /// How many redirects are followed. Default 3; 0 follows none.
        package var maxRedirects: Int
        /// Whether private and loopback addresses may be contacted, on any port. Default false.
        package var allowsPrivateSources: Bool
        /// Ports that may be contacted as long as private sources are not allowed. Default 80 and 443.
        package var allowedPorts: Set<Int>
        /// How many fetches run at the same time, each on its own thread. Default 32, 1…128.
        package var slots: Int
        /// How many fetches may wait for a slot before the next is refused. Default 64; 0 lets none wait.
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

        /// Whether a URL's port may be contacted.
        package func allows(port: Int) -> Bool {
            allowsPrivateSources || allowedPorts.contains(port)
        }

        private static func isFieldValue(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        }
    }
}
