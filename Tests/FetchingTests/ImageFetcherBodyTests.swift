import Fetching
import Foundation
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherBodyTests {
    static let limit = 100_000
    let fetcher = ImageFetcher.local { $0.maxBytes = limit }

    @Test func `a body of exactly the limit passes`() async throws {
        let body = String(repeating: "x", count: Self.limit)
        let origin = try OriginServer(answering: response("200 OK", body: body))
        #expect(try await fetcher.fetch(origin.url()).bytes.count == Self.limit)
    }

    @Test(arguments: ["100001", "99999999999", "99999999999999999999999999"])
    func `a declared length over the limit is refused before the body`(length: String) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            connection.waitForClose()
        }
        #expect(try await fetcher.failure(origin.url()) == .tooLarge(limit: Self.limit))
    }

    @Test(arguments: [true, false])
    func `a body without end stops at the limit`(isChunked: Bool) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked\r\n" : "")\r\n")
            let block = String(repeating: "x", count: 0x1000)
            while connection.write(isChunked ? "1000\r\n\(block)\r\n" : block) {}
        }
        #expect(try await fetcher.failure(origin.url()) == .tooLarge(limit: Self.limit))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbytes", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nbytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\nbytes\r\n0\r\n\r\n",
    ])
    func `an answer that ends early is incomplete`(answer: String) async throws {
        let origin = try OriginServer(answering: answer)
        #expect(try await fetcher.failure(origin.url()).kind == "incomplete")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes and more",
        "HTTP/1.1 200 OK\r\n\r\nbytes", "HTTP/1.0 200 OK\r\n\r\nbytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nby\r\n3;x=y\r\ntes\r\n0\r\nContent-Length: 9\r\n\r\n",
    ])
    func `a body ends where its framing says`(answer: String) async throws {
        let origin = try OriginServer(answering: answer)
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: ["5, 6", "-5", "0x5", "five", ""])
    func `a length that is no number is refused`(length: String) async throws {
        let origin = try OriginServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nbytes")
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test func `repeated lengths are refused`() async throws {
        let origin = try OriginServer(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nbytes"
        )
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP"])
    func `compression that was not requested is undone`(encoding: String) async throws {
        let body = Array(String(repeating: "picture", count: 1000).utf8)
        let packed = Gzip.stored(body)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\nContent-Length: \(packed.count)\r\n\r\n"
            )
            connection.write(packed)
        }
        #expect(try await fetcher.fetch(origin.url()).bytes == body)
    }

    @Test func `the limit counts inflated bytes`() async throws {
        // 16 kB that inflate to 2.5 MB.
        let bomb = Gzip.bomb(runs: 10_000)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            connection.write(bomb)
        }
        #expect(try await fetcher.failure(origin.url()) == .tooLarge(limit: Self.limit))
    }

    @Test(arguments: [
        "Content-Encoding: br", "Content-Encoding: zstd", "Content-Encoding: gzip, gzip",
        "Content-Encoding: gzip\r\nContent-Encoding: gzip", "Content-Encoding: gzip",
        "Transfer-Encoding: gzip, chunked",
    ])
    func `an encoding that is unknown, stacked or broken is refused`(field: String) async throws {
        let origin = try OriginServer(answering: response("200 OK", [field], body: "neither one nor the other"))
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test(arguments: ["404 Not Found", "503 Service Unavailable", "302 Found"])
    func `the body of an error or a redirect is not decoded`(status: String) async throws {
        let closed = AsyncStream<Bool>.makeStream()
        let packed = Gzip.stored(Array("an error page".utf8))
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(
                "HTTP/1.1 \(status)\r\nLocation: /b\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
            )
            connection.write(packed)
            // After a decoded body the connection can be reused.
            closed.continuation.yield(connection.readRequest() == nil)
        }
        let fetcher = ImageFetcher.local { $0.maxRedirects = 1 }
        _ = try await fetcher.failure(origin.url())
        for await isClosed in closed.stream.prefix(1) { #expect(isClosed) }
        #expect(origin.connections == (status.hasPrefix("302") ? 2 : 1))
    }

    @Test func `a field that looks like a status line does not hide the encoding`() async throws {
        // Brotli of "hello".
        let packed: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nHTTP/1.1: 200 OK\r\nContent-Length: \(packed.count)\r\n\r\n"
            )
            connection.write(packed)
        }
        #expect(try await fetcher.failure(origin.url()) == .invalidResponse("the content encoding is br"))
    }

    @Test func `an origin that sends a header byte by byte runs out of time`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nX: ")
            while connection.write("x"), !connection.waitForClose(milliseconds: 50) {}
        }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(2) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.header))
    }

    @Test func `an origin that sends a body byte by byte runs out of time`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while connection.write("x"), !connection.waitForClose(milliseconds: 50) {}
        }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(2) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.body))
    }

    @Test func `a silent origin runs out of time`() async throws {
        let origin = try OriginServer { $0.waitForClose() }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(1) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.header))
        #expect(try await fetcher.failure("https://127.0.0.1:\(origin.port)/") == .timeout(.connection))
    }
}
