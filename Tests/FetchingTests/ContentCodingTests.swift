import Admission
import Fetching
import TestHTTP
import TestPacing
import Testing

/// Bodies with a `Content-Encoding` that the service did not request.
@Suite(.limitedConcurrency) struct ContentCodingTests {
    private static let limit = 200_000
    /// The start of a JPEG, followed by incompressible bytes.
    private static let image: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0] + (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    private let fetcher = ImageFetcher.local { $0.maxBytes = limit }

    private func origin(_ encoding: String, _ body: [UInt8]) throws -> OriginServer {
        try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(response("200 OK", ["Content-Encoding: \(encoding)"], body: body))
        }
    }

    private func fetched(_ encoding: String, _ body: [UInt8]) async throws -> [UInt8] {
        let origin = try origin(encoding, body)
        return try await fetcher.fetch(origin.url()).bytes
    }

    private func failure(_ encoding: String, _ body: [UInt8]) async throws -> FetchError {
        let origin = try origin(encoding, body)
        return try await fetcher.failure(origin.url())
    }

    @Test(arguments: [
        "aws-chunked", "utf-8", "UTF8", "binary", "base64", "none", "identity", "", ",", "image/jpeg",
        "image/jpeg; charset=utf-8", "charset=utf-8", "8bit", "null", "gzip", "br", "deflate", "zstd", "compress",
        "x-unknown", "aws-chunked,gzip", "gzip, aws-chunked", "aws-chunked,", "utf-8, br", "gzip, gzip, gzip, gzip",
        "\"gzip\"", "gzip;q=1.0", "gzip\r\nContent-Encoding: br",
    ])
    func `a body that starts like an image is used without decoding`(encoding: String) async throws {
        #expect(try await fetched(encoding, Self.image) == Self.image)
    }

    @Test(arguments: [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8), Array("RIFF0000WEBPVP8 ".utf8),
        [0, 0, 0, 0x1C] + Array("ftypavif".utf8), [0, 0, 0, 0x1C] + Array("ftypheic".utf8), [0xFF, 0x0A, 0],
        [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], Array("II*\0".utf8), Array("MM\0*".utf8), [0, 0, 1, 0, 1, 0],
        Array("BM".utf8) + Array(repeating: 0, count: 12) + [40, 0, 0, 0],
    ])
    func `the start of every supported format is recognised as an image`(beginning: [UInt8]) async throws {
        for encoding in ["gzip", "br", "deflate"] { #expect(try await fetched(encoding, beginning) == beginning) }
    }

    @Test(arguments: [
        "gzip", "x-gzip", "GZIP", "aws-chunked,gzip", "gzip, utf-8", "utf-8", "binary", "image/png", "", "br",
        "unknown",
    ])
    func `gzip is recognised by its bytes, regardless of the field`(encoding: String) async throws {
        #expect(try await fetched(encoding, Gzip.stored(Self.image)) == Self.image)
    }

    @Test func `several gzip members yield one body`() async throws {
        let packed = Gzip.stored(Array(Self.image.prefix(9))) + Gzip.stored(Array(Self.image.dropFirst(9)))
        #expect(try await fetched("gzip", packed + Array("rubbish".utf8)) == Self.image)
    }

    @Test(arguments: ["deflate", "DEFLATE", "aws-chunked, deflate", "zlib"])
    func `deflate is decoded with and without a zlib header`(encoding: String) async throws {
        #expect(try await fetched(encoding, Packed.deflate(Self.image)) == Self.image)
        #expect(try await fetched(encoding, Packed.zlib(Self.image)) == Self.image)
    }

    @Test(arguments: ["br", "BR", "utf-8,br", "br, aws-chunked"])
    func `brotli is decoded by its name`(encoding: String) async throws {
        #expect(try await fetched(encoding, Packed.brotli(Self.image)) == Self.image)
    }

    @Test(arguments: ["zstd", "x-zstd", "identity", "aws-chunked"])
    func `Zstandard is recognised by its bytes`(encoding: String) async throws {
        #expect(try await fetched(encoding, Packed.zstandard(Self.image)) == Self.image)
    }

    @Test func `nested codings are decoded, up to a limit`() async throws {
        let two = Gzip.stored(Packed.brotli(Self.image))
        #expect(try await fetched("br, gzip", two) == Self.image)
        let three = Packed.zstandard(two)
        #expect(try await fetched("br, gzip, zstd", three) == Self.image)
        let four = Gzip.stored(three)
        #expect(try await failure("br, gzip, zstd, gzip", four).kind == "undecodable")
    }

    @Test func `a body with the chunk framing of a signed upload is decoded`() async throws {
        for separator in [";chunk-signature=0123456789abcdef", ""] {
            var framed: [UInt8] = []
            for piece in [Self.image.prefix(7), Self.image.dropFirst(7), []] as [ArraySlice<UInt8>] {
                framed += Array("\(String(piece.count, radix: 16))\(separator)\r\n".utf8) + piece
                framed += Array("\r\n".utf8)
            }
            #expect(try await fetched("aws-chunked", framed) == Self.image)
            #expect(try await fetched("aws-chunked, gzip", framed) == Self.image)
            let cut = Array(framed.prefix(framed.count / 2))
            if separator.isEmpty { continue }
            // The first chunk is complete, the second is not.
            #expect(try await failure("aws-chunked", cut) == .undecodable(coding: "aws-chunked"))
        }
    }

    @Test(arguments: [
        ("compress", "compress"), ("x-secret", "x-secret"), ("gzip", "gzip"), ("zstd", "zstd"), ("br", "br"),
        ("deflate", "deflate"), ("utf-8, exi", "exi"), ("gzip, utf-8", "gzip"),
    ])
    func `an unknown or wrong coding of a body that is not an image is named in the error`(
        encoding: String,
        name: String
    ) async throws {
        #expect(try await failure(encoding, Array("<html></html>".utf8)) == .undecodable(coding: name))
    }

    @Test func `the error for a damaged or truncated stream contains the coding`() async throws {
        let streams = [
            ("gzip", Gzip.stored(Self.image)), ("deflate", Packed.deflate(Self.image)),
            ("br", Packed.brotli(Self.image)), ("zstd", Packed.zstandard(Self.image)),
        ]
        for (name, packed) in streams {
            #expect(try await failure(name, Array(packed.dropLast(9))) == .undecodable(coding: name))
        }
        var damaged = Gzip.stored(Self.image)
        damaged[100] ^= 1
        #expect(try await failure("gzip", damaged) == .undecodable(coding: "gzip"))
    }

    @Test func `the size limit applies after each coding`() async throws {
        // 16 kB that decompress to 2.5 MB, also nested in another coding.
        let bomb = Gzip.bomb(runs: 10_000)
        #expect(try await failure("gzip", bomb) == .tooLarge(limit: Self.limit))
        #expect(try await failure("utf-8", bomb) == .tooLarge(limit: Self.limit))
        let nested = try await failure("br, zstd", Packed.zstandard(bomb))
        #expect("\(nested)".contains("with another coding of more than"), "\(nested)")
        #expect(try await failure("zstd", Packed.zstandardBomb(blocks: 100)) == .tooLarge(limit: Self.limit))
    }

    @Test func `decoded bytes use the memory budget`() async throws {
        let budget = ImageFetcher.local {
            $0.maxBytes = 300_000
            $0.maxBytesInHand = 600_000
        }
        let origin = try origin("gzip", Gzip.stored(Self.image))
        let image = try await budget.fetch(origin.url())
        #expect(image.bytes == Self.image)
        #expect(budget.budget.used >= image.bytes.count)
        #expect(image.share?.bytes == budget.budget.used)
    }

    @Test func `a coding without content yields an empty body`() async throws {
        #expect(try await failure("gzip", Gzip.stored([])) == .invalidResponse("the body is empty"))
    }

    @Test func `too many codings are rejected`() async throws {
        let field = Array(repeating: "utf-8", count: 40).joined(separator: ",")
        #expect(try await failure(field, Self.image).kind == "undecodable")
    }

    @Test(arguments: ["404 Not Found", "503 Service Unavailable"])
    func `the body of an error response is not decoded`(status: String) async throws {
        let origin = try OriginServer { connection in
            while connection.readRequest() != nil {
                connection.write("HTTP/1.1 \(status)\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\noops")
            }
        }
        let kind = try await fetcher.failure(origin.url()).kind
        #expect(["notFound", "originError"].contains(kind))
    }

    @Test func `a field that looks like a status line does not hide the encoding`() async throws {
        let packed = Packed.brotli(Self.image)
        let origin = try OriginServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(response("200 OK", ["Content-Encoding: br", "HTTP/1.1: 200 OK"], body: packed))
        }
        #expect(try await fetcher.fetch(origin.url()).bytes == Self.image)
    }
}

/// Uncompressed streams in the formats of content codings, for test origins.
enum Packed {
    /// Raw deflate (RFC 1951).
    static func deflate(_ bytes: [UInt8]) -> [UInt8] { Array(Gzip.stored(bytes).dropFirst(10).dropLast(8)) }

    /// Deflate with the header and the checksum of zlib (RFC 1950).
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return [0x78, 0x01] + deflate(bytes) + [b >> 8, b & 255, a >> 8, a & 255].map(UInt8.init)
    }

    /// One uncompressed meta-block of Brotli (RFC 7932) with up to 65536 bytes, and an empty last meta-block.
    static func brotli(_ bytes: [UInt8]) -> [UInt8] {
        let head = 0x0B | (bytes.count - 1) << 7 | 1 << 23
        return [0, 8, 16].map { UInt8(truncatingIfNeeded: head >> $0) } + bytes + [0x03]
    }

    /// One raw Zstandard block (RFC 8878) with up to 128 KiB.
    static func zstandard(_ bytes: [UInt8]) -> [UInt8] {
        let (size, block) = (bytes.count, bytes.count << 3 | 1)
        return [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> $0) }
            + [0, 8, 16].map { UInt8(truncatingIfNeeded: block >> $0) } + bytes
    }

    /// A Zstandard frame whose blocks of four bytes become 100,000 zeros each.
    static func zstandardBomb(blocks: Int) -> [UInt8] {
        let block = [0, 8, 16].map { UInt8(truncatingIfNeeded: (100_000 << 3 | 2) >> $0) } + [0]
        // A window of 1 MiB, without the content size.
        return [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50] + Array(repeating: block, count: blocks).flatMap(\.self)
            + [0x01, 0, 0]
    }
}
