import CBrotli
import CZlib
import CZstandard

/// A format of compressed bytes among HTTP's content codings (RFC 9110 §8.4.1).
package enum CompressedFormat: Sendable {
    /// RFC 1952.
    case gzip
    /// The zlib format (RFC 1950); raw deflate data (RFC 1951) are accepted too, as some programs send them.
    case deflate
    /// RFC 7932.
    case brotli
    /// RFC 8878.
    case zstandard

    /// Takes the next decoded bytes, at most ``pieceBytes``; returns whether to go on.
    package typealias Output = (UnsafeRawBufferPointer) -> Bool

    /// The largest number of bytes that are decoded at a time.
    package static let pieceBytes = 1 << 16

    /// The largest window of Zstandard as a power of two: 8 MiB, the limit of its content coding (RFC 9659).
    ///
    /// That of Brotli is 16 MiB at most.
    private static let maxZstandardWindow: Int32 = 23

    /// The format that bytes begin with, of those that can be recognised; nil for others.
    package init?(beginningOf bytes: some Collection<UInt8>) {
        if Self.isGzip(bytes) {
            self = .gzip
        } else if Self.isZstandard(bytes) {
            self = .zstandard
        } else {
            return nil
        }
    }

    /// Decodes a stream, which may consist of several members or frames.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes.
    ///   - restart: Called if what was written so far is void: raw deflate data may begin like the zlib format.
    ///   - write: Takes the decoded bytes.
    /// - Returns: The length of the stream in `input`, after which other bytes may follow; nil if it is damaged or
    ///   incomplete, or if `write` has returned false.
    package func decode(_ input: [UInt8], restart: () -> Void, to write: Output) -> Int? {
        input.withUnsafeBytes { input in
            switch self {
            case .gzip: return Self.inflate(input, windowBits: MAX_WBITS + 16, to: write)
            case .brotli: return Self.unpackBrotli(input, to: write)
            case .zstandard: return Self.unpackZstandard(input, to: write)
            case .deflate: break
            }
            guard Self.isZlib(input) else { return Self.inflate(input, windowBits: -MAX_WBITS, to: write) }
            var isRefused = false
            let end = Self.inflate(input, windowBits: MAX_WBITS) { piece in
                isRefused = !write(piece)
                return !isRefused
            }
            guard end == nil, !isRefused else { return end }
            restart()
            return Self.inflate(input, windowBits: -MAX_WBITS, to: write)
        }
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

/// The decoders: each returns the length of the stream; nil if it is not whole or an output was refused.
extension CompressedFormat {
    private static func inflate(_ input: UnsafeRawBufferPointer, windowBits: Int32, to write: Output) -> Int? {
        var stream = z_stream()
        // bounded: a constant
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
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
            guard write(UnsafeRawBufferPointer(rebasing: piece[..<made])) else { return nil }
            switch status {
            case Z_OK where used > 0 || made > 0: continue
            case Z_STREAM_END:
                // Further members may follow (RFC 1952 §2.2).
                guard windowBits > MAX_WBITS, isGzip(input[offset...]), inflateReset(&stream) == Z_OK else {
                    return offset
                }
            default: return nil
            }
        }
    }

    private static func unpackBrotli(_ input: UnsafeRawBufferPointer, to write: Output) -> Int? {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        defer { BrotliDecoderDestroyInstance(state) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var available = input.count
        while true {
            var target = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var room = piece.count
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
            guard write(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - room)])) else { return nil }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: return input.count - available
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            default: return nil
            }
        }
    }

    private static func unpackZstandard(_ input: UnsafeRawBufferPointer, to write: Output) -> Int? {
        guard let context = ZSTD_createDCtx() else { return nil }
        defer { ZSTD_freeDCtx(context) }
        let limit = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, maxZstandardWindow)
        guard ZSTD_isError(limit) == 0 else { return nil }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            let start = source.pos
            var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let status = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(status) == 0, write(UnsafeRawBufferPointer(rebasing: piece[..<target.pos])) else {
                return nil
            }
            // Zero at the end of a frame: further frames may follow (RFC 8878 §3.1).
            if status == 0, !isZstandard(input[source.pos...]) { return source.pos }
            guard status == 0 || source.pos > start || target.pos > 0 else { return nil }
        }
    }
}
