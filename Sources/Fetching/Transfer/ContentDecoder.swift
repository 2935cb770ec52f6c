import CBrotli
import CZlib
import CZstandard
import Encodings

/// Undoes the codings of a body that were not requested.
///
/// The bytes decide, because the field `Content-Encoding` is often wrong: a body that begins as a picture is taken as it
/// is, gzip and Zstandard are recognised by their first bytes, and only what cannot be recognised so is decoded by name.
struct ContentDecoder {
    /// The largest number of codings, one upon the other.
    static let maxCodings = 3

    /// The largest window of Zstandard as a power of two: 8 MiB, the limit of its content coding (RFC 9659).
    private static let maxZstandardWindow = 23

    /// Bytes that are decoded at a time.
    private static let pieceBytes = 1 << 16

    private var labels: ContentLabels

    /// The decoded body of a response with a field `Content-Encoding`; each step has the limit and the budget of `body`.
    ///
    /// - Throws: ``FetchError/undecodable(coding:)`` if a coding is unknown, does not fit the bytes, is damaged or one of
    ///   too many; ``FetchError/tooLarge(limit:)`` and ``FetchError/overBudget(limit:)``.
    static func decoded(_ body: BoundedBytes, _ field: String) throws(FetchError) -> BoundedBytes {
        var decoder = ContentDecoder(labels: try ContentLabels(field))
        var body = body
        var count = 0
        while let coding = decoder.coding(of: body.bytes) {
            count += 1
            guard count <= maxCodings else { throw .undecodable(coding: "a stack of more than \(maxCodings) codings") }
            decoder.labels.remove(coding)
            body = try decoder.undone(coding, body)
        }
        if let left = decoder.labels.codings.last(where: { $0 != .signedChunks }),
            !PictureSignature.begins(body.bytes)
        {
            throw .undecodable(coding: left.name)
        }
        return body
    }

    /// The coding of some bytes; nil if they have none.
    private func coding(of bytes: [UInt8]) -> ContentLabels.Label? {
        if PictureSignature.begins(bytes) { return nil }
        if Self.isGzip(bytes[...]) { return .gzip }
        if Self.isZstandard(bytes[...]) { return .zstandard }
        return labels.codings.last { label in
            switch label {
            case .deflate, .brotli: true
            case .signedChunks: SignedChunks.next(in: bytes, at: 0) != nil
            case .gzip, .zstandard, .unknown: false
            }
        }
    }

    private func undone(_ coding: ContentLabels.Label, _ body: BoundedBytes) throws(FetchError) -> BoundedBytes {
        var output = BoundedBytes(limit: body.limit, budget: body.budget, client: body.client)
        var failure: FetchError?
        let write: (UnsafeRawBufferPointer) -> Bool = { piece in
            failure = output.append(piece)
            return failure == nil
        }
        var isWhole = body.bytes.withUnsafeBytes { input in
            switch coding {
            case .gzip: Self.inflate(input, windowBits: MAX_WBITS + 16, to: write)
            case .deflate: Self.inflate(input, windowBits: Self.isZlib(input) ? MAX_WBITS : -MAX_WBITS, to: write)
            case .brotli: Self.unpackBrotli(input, to: write)
            case .zstandard: Self.unpackZstandard(input, to: write)
            case .signedChunks: SignedChunks.unpack(body.bytes, to: write)
            case .unknown: false
            }
        }
        if !isWhole, failure == nil, coding == .deflate, body.bytes.withUnsafeBytes(Self.isZlib) {
            // Raw deflate may begin like zlib.
            output.removeAll()
            isWhole = body.bytes.withUnsafeBytes { Self.inflate($0, windowBits: -MAX_WBITS, to: write) }
        }
        if let failure { throw failure }
        guard isWhole else { throw .undecodable(coding: coding.name) }
        return output
    }

    private static func isGzip(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

    private static func isZstandard(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    }

    /// Whether bytes begin with the header of zlib (RFC 1950 §2.2).
    private static func isZlib(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2, bytes[0] & 15 == 8, bytes[0] >> 4 <= 7 else { return false }
        return (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    }
}

/// The decoders: each returns whether the input is a whole stream and all of its output was taken.
extension ContentDecoder {
    private typealias Write = (UnsafeRawBufferPointer) -> Bool

    private static func inflate(_ input: UnsafeRawBufferPointer, windowBits: Int32, to write: Write) -> Bool {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return false }
        defer { inflateEnd(&stream) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var offset = 0
        while true {
            // zlib counts in 32 bits.
            let available = min(input.count - offset, 1 << 30)
            let start = input.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Bytef.self)
            stream.next_in = UnsafeMutablePointer(mutating: start)
            stream.avail_in = uInt(available)
            stream.next_out = piece.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.avail_out = uInt(piece.count)
            let status = CZlib.inflate(&stream, Z_NO_FLUSH)
            let made = piece.count - Int(stream.avail_out)
            let used = available - Int(stream.avail_in)
            offset += used
            guard write(UnsafeRawBufferPointer(rebasing: piece[..<made])) else { return false }
            switch status {
            case Z_OK where used > 0 || made > 0: continue
            case Z_STREAM_END:
                // Further members may follow (RFC 1952 §2.2); other bytes after the end have no meaning.
                guard windowBits > MAX_WBITS, isGzip(input[offset...]), inflateReset(&stream) == Z_OK else {
                    return true
                }
            default: return false
            }
        }
    }

    private static func unpackBrotli(_ input: UnsafeRawBufferPointer, to write: Write) -> Bool {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return false }
        defer { BrotliDecoderDestroyInstance(state) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var available = input.count
        while true {
            var target = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var room = piece.count
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
            guard write(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - room)])) else { return false }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: return true
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            default: return false
            }
        }
    }

    private static func unpackZstandard(_ input: UnsafeRawBufferPointer, to write: Write) -> Bool {
        guard let context = ZSTD_createDCtx() else { return false }
        defer { ZSTD_freeDCtx(context) }
        let limit = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Int32(maxZstandardWindow))
        guard ZSTD_isError(limit) == 0 else { return false }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            let start = source.pos
            var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let status = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(status) == 0, write(UnsafeRawBufferPointer(rebasing: piece[..<target.pos])) else {
                return false
            }
            // Zero at the end of a frame: further frames may follow (RFC 8878 §3.1).
            if status == 0, !isZstandard(input[source.pos...]) { return true }
            guard status == 0 || source.pos > start || target.pos > 0 else { return false }
        }
    }
}

/// The framing `aws-chunked` of Amazon's uploads: `5;chunk-signature=…`, a line end, five bytes, a line end; the last
/// chunk has no bytes, and fields may follow it.
///
/// Signatures are not checked: they protect the upload, whose secret this service does not have.
enum SignedChunks {
    /// The longest line before a chunk, in bytes.
    private static let maxLineBytes = 256

    /// The bytes of the chunk whose line begins at an index; nil if there is none.
    static func next(in bytes: [UInt8], at start: Int) -> Range<Int>? {
        let line = bytes[start...].prefix(maxLineBytes)
        let digits = line.prefix { Hexadecimal.value($0) != nil }
        guard 1...15 ~= digits.count, let end = line.firstIndex(of: UInt8(ascii: "\n")), end > line.startIndex,
            bytes[end - 1] == UInt8(ascii: "\r"),
            digits.endIndex == end - 1 || bytes[digits.endIndex] == UInt8(ascii: ";")
        else { return nil }
        let count = digits.reduce(0) { $0 << 4 | Int(Hexadecimal.value($1) ?? 0) }
        guard count <= bytes.count - (end + 1) else { return nil }
        return end + 1..<end + 1 + count
    }

    /// Writes the bytes of all chunks; returns whether the framing is whole.
    static func unpack(_ bytes: [UInt8], to write: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var index = 0
        while let chunk = next(in: bytes, at: index) {
            if chunk.isEmpty { return true }
            guard bytes[chunk.upperBound...].starts(with: "\r\n".utf8),
                bytes.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0[chunk])) })
            else { return false }
            index = chunk.upperBound + 2
        }
        return false
    }
}
