import Fetching
import Foundation
import Synchronization
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherStreamTests {
    /// Collects a body, and rejects more than `most` bytes.
    private final class Collector: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let maximum: Int

        init(maximum: Int = .max) { self.maximum = maximum }

        var sink: BodySink {
            BodySink(idleTime: .seconds(30)) { part in
                self.bytes.withLock { bytes in
                    bytes += part
                    return bytes.count <= self.maximum
                }
            }
        }

        var text: String { String(decoding: bytes.withLock(\.self), as: UTF8.self) }
    }

    private func stream(_ fetcher: ImageFetcher, _ url: String, into collector: Collector) async -> FetchError? {
        do throws(FetchError) {
            try await fetcher.stream(SourceURL(url), by: .now + .seconds(60), into: collector.sink)
            return nil
        } catch {
            return error
        }
    }

    @Test func `an endless body is passed on as it arrives`() async throws {
        let collector = Collector()
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\nfirst")
            connection.waitForClose()
        }
        let fetcher = ImageFetcher.local()
        let task = Task { await stream(fetcher, origin.url(), into: collector) }
        #expect(await eventually { collector.text == "first" })
        #expect(fetcher.load.running == 0)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `a redirect is followed, and its body is not passed on`() async throws {
        let target = try OriginServer(address: "127.0.0.3", answering: response("200 OK", body: "frames"))
        let origin = try OriginServer(answering: response("302 Found", ["Location: \(target.url())"], body: "moved"))
        let collector = Collector()
        #expect(await stream(ImageFetcher.local(), origin.url(), into: collector) == nil)
        #expect(collector.text == "frames")
    }

    @Test func `a redirect to a private address is blocked`() async throws {
        let inner = try OriginServer(address: "127.0.0.1", answering: response("200 OK", body: "secret"))
        let outer = try OriginServer(
            address: "127.0.0.2",
            answering: response("302 Found", ["Location: \(inner.url())"])
        )
        let collector = Collector()
        let fetcher = try ImageFetcher.wary(ports: [inner.port, outer.port])
        #expect(await stream(fetcher, outer.url(), into: collector)?.kind == "blocked")
        #expect(inner.connections == 0 && collector.text == "")
    }

    @Test func `a sink can end the transfer`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write("frame") {}
        }
        #expect(await stream(ImageFetcher.local(), origin.url(), into: Collector(maximum: 10_000)) == .cancelled)
    }

    @Test func `a compressed body is rejected`() async throws {
        let origin = try OriginServer(answering: response("200 OK", ["Content-Encoding: gzip"], body: "bomb"))
        let collector = Collector()
        #expect(await stream(ImageFetcher.local(), origin.url(), into: collector)?.kind == "undecodable")
        #expect(collector.text == "")
    }
}
