import Admission
import Dispatch
import Fetching
import Foundation
import TestHTTP
import TestPacing
import Testing

/// The memory budget for all bodies, ``ImageFetcher/Configuration/maxBytesInHand``.
@Suite(.limitedConcurrency)
struct ImageFetcherBudgetTests {
    static let limit = 100_000
    let fetcher = ImageFetcher.local {
        $0.maxBytes = limit
        $0.maxBytesInHand = 2 * limit
    }

    @Test func `a body counts until its last reference is released`() async throws {
        let origin = try OriginServer(answering: response("200 OK", body: String(repeating: "x", count: 60_000)))
        var image: FetchedImage? = try await fetcher.fetch(origin.url())
        #expect(image?.share?.bytes == 60_000)
        #expect(fetcher.budget.used == 60_000)
        image = nil
        #expect(await eventually { fetcher.budget.used == 0 })
        withExtendedLifetime(image) {}
    }

    @Test func `no fetch starts while the memory is used up, and a fetch starts when memory is free`() async throws {
        let origin = try OriginServer(answering: response("200 OK", body: String(repeating: "x", count: 60_000)))
        var images = [try await fetcher.fetch(origin.url()), try await fetcher.fetch(origin.url())]
        // The origin was not contacted.
        let nowhere = "http://127.0.0.1:1/a.jpg"
        #expect(try await fetcher.failure(nowhere) == .overBudget(limit: 2 * Self.limit))
        images.removeLast()
        #expect(await eventually { fetcher.budget.used == 60_000 })
        #expect(try await fetcher.failure(nowhere).kind == "unreachable")
        withExtendedLifetime(images) {}
    }

    @Test(arguments: ["Content-Length: 100000\r\n", "Transfer-Encoding: chunked\r\n"])
    func `a fetch stops if its body no longer fits`(field: String) async throws {
        let others = try OriginServer(answering: response("200 OK", body: String(repeating: "x", count: 60_000)))
        let (begun, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            begun.signal()
            mayAnswer.wait()
            connection.write("HTTP/1.1 200 OK\r\n\(field)\r\n1\r\nx\r\n")
            connection.waitForClose()
        }
        async let failure = fetcher.failure(origin.url())
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                begun.wait()
                continuation.resume()
            }
        }
        let images = [try await fetcher.fetch(others.url()), try await fetcher.fetch(others.url())]
        mayAnswer.signal()
        #expect(try await failure == .overBudget(limit: 2 * Self.limit))
        #expect(fetcher.budget.used == 120_000)
        withExtendedLifetime(images) {}
    }

    @Test func `a body of unknown length is counted as it grows`() async throws {
        let fetcher = ImageFetcher.local {
            $0.maxBytes = 1 << 20
            $0.maxBytesInHand = 2 << 20
        }
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 700_000))
        }
        let image = try await fetcher.fetch(origin.url())
        #expect(image.bytes.count == 700_000)
        #expect(fetcher.budget.used == image.share?.bytes)
        #expect((700_000...1 << 20).contains(fetcher.budget.used))
        withExtendedLifetime(image) {}
    }
}
