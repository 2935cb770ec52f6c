import CBrotli
import CZlib
import CZstandard

/// A compression format that is also an HTTP content coding (RFC 9110 §8.4.1).
package enum CompressedFormat: Sendable {
    /// The gzip format (RFC 1952).
    case gzip
    /// The zlib format (RFC 1950); raw deflate data (RFC 1951) is also accepted, because some programs send it.
    case deflate
    /// The Brotli format (RFC 7932).
    case brotli
    /// The Zstandard format (RFC 8878).
    case zstandard

    /// The maximum number of bytes that are decoded at a time.
    package static let pieceBytes = 1 << 16

    /// The maximum window of Zstandard as a power of two.
    ///
    /// It is 8 MiB, the limit for the content coding (RFC 9659).
    ///
    /// The maximum window of Brotli is 16 MiB.
    private static let maxZstandardWindow: Int32 = 23

    /// Recognises the format of bytes by their start; nil for formats that cannot be recognised this way.
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
    ///   - limits: The limits of this coding.
    ///   - output: Receives the decoded bytes.
    /// - Returns: The length of the stream in `input`. Other bytes may follow the stream.
    /// - Throws: ``DecodingError``.
    package func decode(
        _ input: [UInt8],
        _ limits: DecodingLimits,
        into output: any DecodedOutput
    ) throws(DecodingError) -> Int {
        let outcome = input.withUnsafeBytes { input in
            Result { () throws(DecodingError) in try decode(input, limits, into: output) }
        }
        return try outcome.get()
    }

    private func decode(
        _ input: UnsafeRawBufferPointer,
        _ limits: DecodingLimits,
        into output: any DecodedOutput
    ) throws(DecodingError) -> Int {
        let isZlib = self == .deflate && Self.isZlib(input)
        do throws(DecodingError) {
            return try decodeOnce(input, isRaw: self == .deflate && !isZlib, limits, into: output)
        } catch {
            guard isZlib, error == .damaged else { throw error }
            output.removeAll()
            return try decodeOnce(input, isRaw: true, limits, into: output)
        }
    }

    private func decodeOnce(
        _ input: UnsafeRawBufferPointer,
        isRaw: Bool,
        _ limits: DecodingLimits,
        into output: any DecodedOutput
    ) throws(DecodingError) -> Int {
        var output = LimitedOutput(limits, output)
        switch self {
        case .gzip: return try Self.inflate(input, windowBits: MAX_WBITS + 16, to: &output)
        case .deflate: return try Self.inflate(input, windowBits: isRaw ? -MAX_WBITS : MAX_WBITS, to: &output)
        case .brotli: return try Self.unpackBrotli(input, to: &output)
        case .zstandard: return try Self.unpackZstandard(input, to: &output)
        }
    }

    private static func isGzip(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

    private static func isZstandard(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    }

    /// Whether bytes start with the header of zlib (RFC 1950 §2.2).
    private static func isZlib(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2, bytes[0] & 15 == 8, bytes[0] >> 4 <= 7 else { return false }
        return (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    }
}

/// The decoders.
///
/// Each decoder returns the length of the stream.
extension CompressedFormat {
    private static func inflate(
        _ input: UnsafeRawBufferPointer,
        windowBits: Int32,
        to output: inout LimitedOutput
    ) throws(DecodingError) -> Int {
        var stream = z_stream()
        // bounded: a constant
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .noMemory }
        defer { inflateEnd(&stream) }
        try output.beginFrame(windowBytes: 1 << MAX_WBITS)
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var offset = 0
        while true {
            // zlib uses 32-bit counts.
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
            try output.append(UnsafeRawBufferPointer(rebasing: piece[..<made]))
            switch status {
            case Z_OK where used > 0 || made > 0: continue
            case Z_STREAM_END:
                // Further members may follow (RFC 1952 §2.2).
                guard windowBits > MAX_WBITS, isGzip(input[offset...]), inflateReset(&stream) == Z_OK else {
                    return offset
                }
                try output.beginFrame(windowBytes: 1 << MAX_WBITS)
            default: throw .damaged
            }
        }
    }

    private static func unpackBrotli(
        _ input: UnsafeRawBufferPointer,
        to output: inout LimitedOutput
    ) throws(DecodingError) -> Int {
        try output.beginFrame(windowBytes: brotliWindow(input))
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { throw .noMemory }
        defer { BrotliDecoderDestroyInstance(state) }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var available = input.count
        while true {
            var target = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var room = piece.count
            let result = BrotliDecoderDecompressStream(state, &available, &next, &room, &target, nil)
            try output.append(UnsafeRawBufferPointer(rebasing: piece[..<(piece.count - room)]))
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: return input.count - available
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            default: throw .damaged
            }
        }
    }

    /// Reads the window of a Brotli stream from its first bits (RFC 7932 §9.1).
    private static func brotliWindow(_ input: UnsafeRawBufferPointer) -> Int {
        guard let first = input.first, first & 1 == 1 else { return 1 << 16 }
        let (high, low) = (Int(first >> 1 & 7), Int(first >> 4 & 7))
        return 1 << (high > 0 ? 17 + high : low > 1 ? 8 + low : 17)
    }

    private static func unpackZstandard(
        _ input: UnsafeRawBufferPointer,
        to output: inout LimitedOutput
    ) throws(DecodingError) -> Int {
        try output.beginFrame(windowBytes: zstandardWindow(input[...]))
        guard let context = ZSTD_createDCtx() else { throw .noMemory }
        defer { ZSTD_freeDCtx(context) }
        let limit = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, maxZstandardWindow)
        guard ZSTD_isError(limit) == 0 else { throw .noMemory }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        while true {
            let start = source.pos
            var target = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
            let status = ZSTD_decompressStream(context, &target, &source)
            guard ZSTD_isError(status) == 0 else { throw .damaged }
            try output.append(UnsafeRawBufferPointer(rebasing: piece[..<target.pos]))
            if status == 0 {
                // Further frames may follow (RFC 8878 §3.1).
                guard isZstandard(input[source.pos...]) else { return source.pos }
                try output.beginFrame(windowBytes: zstandardWindow(input[source.pos...]))
            }
            guard status == 0 || source.pos > start || target.pos > 0 else { throw .damaged }
        }
    }

    /// Reads the window of a Zstandard frame from its header (RFC 8878 §3.1.1.1).
    ///
    /// It is at most ``maxZstandardWindow``, which is also used for a frame that does not state its window.
    private static func zstandardWindow(_ frame: Slice<UnsafeRawBufferPointer>) -> Int {
        let maximum = 1 << Int(maxZstandardWindow)
        let header = frame.dropFirst(4).prefix(2)
        // Bit 5 means that the frame is a single segment, whose length is the window.
        guard header.count == 2, let flags = header.first, let window = header.last, flags & 0x20 == 0 else {
            return maximum
        }
        let base = 1 << (10 + Int(window >> 3))
        return min(maximum, base + base / 8 * Int(window & 7))
    }
}
