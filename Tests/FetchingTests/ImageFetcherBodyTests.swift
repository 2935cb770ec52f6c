import Fetching
import Foundation
import TestHTTP
import TestPacing
import Testing

@Suite(.limitedConcurrency)
struct ImageFetcherBodyTests {
    static let limit = 100_000
    let fetcher = ImageFetcher.local { $0.maxBytes = limit }

    @Test func `a body of exactly the maximum size is accepted`() async throws {
        let body = String(repeating: "x", count: Self.limit)
        let origin = try OriginServer(answering: response("200 OK", body: body))
        #expect(try await fetcher.fetch(origin.url()).bytes.count == Self.limit)
    }

    @Test(arguments: ["100001", "99999999999", "99999999999999999999999999"])
    func `a declared length above the limit is rejected before the body arrives`(length: String) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            connection.waitForClose()
        }
        #expect(try await fetcher.failure(origin.url()) == .tooLarge(limit: Self.limit))
    }

    @Test(arguments: [true, false])
    func `an endless body is stopped at the limit`(isChunked: Bool) async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\(isChunked ? "Transfer-Encoding: chunked\r\n" : "")\r\n")
            let block = String(repeating: "x", count: 0x1000)
            while connection.write(isChunked ? "1000\r\n\(block)\r\n" : block) {}
        }
        #expect(try await fetcher.failure(origin.url()) == .tooLarge(limit: Self.limit))
    }

    @Test func `endless trailers are stopped at their limit`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n0\r\n")
            while connection.write(String(repeating: "A: b\r\n", count: 1000)) {}
        }
        let failure = try await fetcher.failure(origin.url())
        #expect(failure == .invalidResponse("the trailers are larger than 16384 bytes"))
    }

    @Test func `a body of many small chunks is rejected`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.write(String(repeating: "1\r\nx\r\n", count: 1000)) {}
        }
        let failure = try await fetcher.failure(origin.url())
        #expect(failure == .invalidResponse("the chunks of the body are too small"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbytes", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nbytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\nbytes\r\n0\r\n\r\n",
    ])
    func `a response that ends early is incomplete`(response: String) async throws {
        let origin = try OriginServer(answering: response)
        #expect(try await fetcher.failure(origin.url()).kind == "incomplete")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbytes and more",
        "HTTP/1.1 200 OK\r\n\r\nbytes", "HTTP/1.0 200 OK\r\n\r\nbytes",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nby\r\n3;x=y\r\ntes\r\n0\r\nContent-Length: 9\r\n\r\n",
    ])
    func `the framing determines the end of a body`(response: String) async throws {
        let origin = try OriginServer(answering: response)
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: ["5, 6", "-5", "0x5", "five", ""])
    func `a length that is not a number is rejected`(length: String) async throws {
        let origin = try OriginServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nbytes")
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test func `repeated lengths are rejected`() async throws {
        let origin = try OriginServer(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nbytes"
        )
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test(arguments: ["Transfer-Encoding: gzip, chunked", "Transfer-Encoding: br", "Transfer-Encoding: \u{E9}"])
    func `a transfer encoding other than chunked is rejected`(field: String) async throws {
        let origin = try OriginServer(answering: response("200 OK", [field], body: "neither one nor the other"))
        #expect(try await fetcher.failure(origin.url()).kind == "invalidResponse")
    }

    @Test(arguments: ["5, 5", "5,5 , 5", "5\r\nContent-Length: 5"])
    func `a length that is repeated with the same value is accepted`(length: String) async throws {
        let origin = try OriginServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nbytes")
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 203 Other\r\nContent-Length: 0\r\n\r\n",
    ])
    func `a response with an empty body is invalid`(response: String) async throws {
        let origin = try OriginServer(answering: response)
        #expect(try await fetcher.failure(origin.url()) == .invalidResponse("the body is empty"))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Ty", "HTTP/1.1 200 OK", "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func `a header that ends early is incomplete`(response: String) async throws {
        let origin = try OriginServer(answering: response)
        #expect(try await fetcher.failure(origin.url()).kind == "incomplete")
    }

    @Test func `a 203 response is accepted as an image`() async throws {
        let origin = try OriginServer(answering: response("203 Non-Authoritative Information", body: "bytes"))
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: ["bytes 0-4/5", "Bytes 0-4/5"])
    func `a partial response with the whole file is accepted as an image`(range: String) async throws {
        let origin = try OriginServer(
            answering: response("206 Partial Content", ["Content-Range: \(range)"], body: "bytes")
        )
        #expect(try await fetcher.fetch(origin.url()).bytes == Array("bytes".utf8))
    }

    @Test(arguments: [
        "bytes 1-5/6", "bytes 0-4/6", "bytes 0-4/*", "bytes */5", "lines 0-4/5", "bytes 0-4", "bytes -0-4/5", "",
        "bytes 0-99999999999999999998/99999999999999999999",
    ])
    func `a partial response without the whole file is rejected`(range: String) async throws {
        let origin = try OriginServer(
            answering: response("206 Partial Content", ["Content-Range: \(range)"], body: "bytes")
        )
        #expect(try await fetcher.failure(origin.url()) == .invalidResponse("status 206"))
    }

    @Test func `a partial response with fewer bytes than it declares is incomplete`() async throws {
        let origin = try OriginServer(
            answering: "HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-8/9\r\nContent-Length: 5\r\n\r\nbytes"
        )
        #expect(try await fetcher.failure(origin.url()).kind == "incomplete")
    }

    @Test func `an origin that sends a header byte by byte exceeds the time limit`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nX: ")
            while connection.write("x"), !connection.waitForClose(milliseconds: 50) {}
        }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(2) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.header))
    }

    @Test func `an origin that sends a body byte by byte exceeds the time limit`() async throws {
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while connection.write("x"), !connection.waitForClose(milliseconds: 50) {}
        }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(2) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.body))
    }

    @Test func `a silent origin exceeds the time limit`() async throws {
        let origin = try OriginServer { $0.waitForClose() }
        let fetcher = ImageFetcher.local { $0.timeout = .seconds(1) }
        #expect(try await fetcher.failure(origin.url()) == .timeout(.header))
        #expect(try await fetcher.failure("https://127.0.0.1:\(origin.port)/") == .timeout(.connection))
    }
}
