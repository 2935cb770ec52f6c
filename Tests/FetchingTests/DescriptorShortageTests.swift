import Fetching
import Glibc
import TestHTTP
import TestPacing
import Testing

/// Errors that the local system causes, in contrast to errors that the origin causes.
@Suite(.limitedConcurrency)
struct DescriptorShortageTests {
    private static func fetcher(_ openSocket: @escaping ConnectionGate.OpenSocket) -> ImageFetcher {
        var configuration = FetchConfiguration(userAgent: "Headroom/test")
        configuration.allowsPrivateSources = true
        configuration.timeout = .seconds(15)
        return ImageFetcher(configuration: configuration, policy: .privateAllowed, openSocket: openSocket)
    }

    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `an error of the local system is not reported as an error of the origin`(error: Int32) async throws {
        let origin = try OriginServer(answering: response("200 OK", body: "bytes"))
        let failure = try await Self.fetcher { _, _, _ in -error }.failure(origin.url())
        #expect(failure == .exhausted(String(cString: strerror(error))))
        #expect(origin.connections == 0)
    }

    @Test func `a lookup that fails because no descriptor is free is not reported as an unknown name`() async throws {
        // A test cannot make the resolver's sockets fail, so an unknown name simulates a failed lookup.
        let url = "http://\(UnknownHost.name)/a.jpg"
        #expect(try await Self.fetcher { _, _, _ in -EMFILE }.failure(url).kind == "exhausted")
    }

    @Test(arguments: [EACCES, EAFNOSUPPORT])
    func `a socket that fails for another reason makes the origin unreachable`(error: Int32) async throws {
        let origin = try OriginServer(answering: response("200 OK"))
        let failure = try await Self.fetcher { family, type, number in
            if family == AF_INET { return -error }
            let descriptor = socket(family, type, number)
            return descriptor < 0 ? -errno : descriptor
        }.failure(origin.url())
        #expect(failure.kind == "unreachable")
    }
}
