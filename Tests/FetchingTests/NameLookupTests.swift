import Dispatch
import Fetching
import Glibc
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// Names that libcurl cannot resolve: the name does not exist, or its name server fails.
@Suite(.limitedConcurrency)
struct NameLookupTests {
    private static let url = "http://\(UnknownHost.name)/a.jpg"

    @Test(
        arguments: [
            (EAI_NONAME, "unresolved"),
            // SERVFAIL, a server without responses, and with most C libraries REFUSED.
            (EAI_AGAIN, "nameServerFailed"),
            (EAI_FAIL, "nameServerFailed"),
            (EAI_SYSTEM, "nameServerFailed"),
            // EAI_NODATA also occurs if one record type gets SERVFAIL and the other has no address.
            (-5, "nameServerFailed"),
            // The name server responds again.
            (0, "nameServerFailed"),
        ]
    )
    func `only a name that does not exist counts as absent`(code: Int32, kind: String) async throws {
        let asked = Mutex<[String]>([])
        let fetcher = ImageFetcher.local {
            $0.names = NameLookup { host in
                asked.withLock { $0.append(host) }
                return code
            }
        }
        #expect(try await fetcher.failure(Self.url).kind == kind)
        #expect(asked.withLock(\.self) == [UnknownHost.name])
    }

    @Test func `the C library's lookup reports a name that does not exist`() {
        #expect(NameLookup.system(UnknownHost.name) == EAI_NONAME)
        #expect(NameLookup.system("127.0.0.1") == 0)
    }

    @Test func `a name server without responses causes a timeout`() async throws {
        let ending = DispatchSemaphore(value: 0)
        defer { ending.signal() }
        let fetcher = ImageFetcher.local {
            $0.connectTimeout = .milliseconds(1)
            $0.names = NameLookup { _ in
                ending.wait()
                return 0
            }
        }
        // libcurl may have stopped earlier, for the same reason.
        #expect(try await fetcher.failure(Self.url) == .timeout(.resolution))
    }

    @Test func `a cancelled fetch does not wait for a name server`() async throws {
        let (asked, ending) = (Gate(), DispatchSemaphore(value: 0))
        defer { ending.signal() }
        let fetcher = ImageFetcher.local {
            $0.timeout = .seconds(600)
            $0.connectTimeout = .seconds(600)
            $0.names = NameLookup { _ in
                asked.signal()
                ending.wait()
                return 0
            }
        }
        let fetch = Task { try await fetcher.failure(Self.url) }
        await asked.wait()
        fetch.cancel()
        #expect(try await fetch.value == .cancelled)
    }
}
