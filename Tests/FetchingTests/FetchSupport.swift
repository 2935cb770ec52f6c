import Admission
import Fetching
import Testing

extension ImageFetcher {
    /// A fetcher that may contact loopback addresses on any port.
    static func local(
        time: QueueTime = .system,
        _ configure: (inout FetchConfiguration) -> Void = { _ in }
    ) -> ImageFetcher {
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.allowsPrivateSources = true
        configuration.timeout = .seconds(15)
        configure(&configuration)
        return ImageFetcher(configuration: configuration, policy: .privateAllowed, time: time)
    }

    /// A fetcher that treats 127.0.0.1 and ::1 as private and every other address as public.
    static func wary(
        ports: [Int],
        pinnedHosts: @autoclosure @escaping @Sendable () -> [PinnedHost] = [],
        _ configure: (inout FetchConfiguration) -> Void = { _ in }
    ) throws -> ImageFetcher {
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.allowedPorts = Set(ports)
        configuration.timeout = .seconds(15)
        configure(&configuration)
        let policy = AddressPolicy(refusing: [
            try #require(IPNetwork("127.0.0.1/32")), try #require(IPNetwork("::1/128")),
        ])
        return ImageFetcher(configuration: configuration, policy: policy, pinnedHosts: pinnedHosts())
    }

    func fetch(_ text: String) async throws -> FetchedImage {
        try await fetch(SourceURL(text))
    }

    /// The error of a fetch that is expected to fail.
    func failure(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> FetchError {
        let error = await #expect(throws: FetchError.self, sourceLocation: sourceLocation) {
            try await self.fetch(text)
        }
        return try #require(error, sourceLocation: sourceLocation)
    }
}

/// An HTTP response with the given fields and a body of any bytes.
func response(_ status: String, _ fields: [String] = [], body: [UInt8]) -> [UInt8] {
    let head = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)", "Connection: close", "", ""]
    return Array(head.joined(separator: "\r\n").utf8) + body
}

extension FetchError {
    /// The name of the case, for errors with a message from libcurl.
    var kind: String {
        Mirror(reflecting: self).children.first?.label ?? "\(self)"
    }
}

/// An HTTP response with the given fields and a text body.
func response(_ status: String, _ fields: [String] = [], body: String = "body") -> String {
    (["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "Connection: close", "", body])
        .joined(separator: "\r\n")
}
