import Admission
import Decompression
import Encodings

/// Decodes content codings that the origin applied although the request did not ask for any.
///
/// The bytes are examined first, because the field `Content-Encoding` is often wrong. A body that starts like an image
/// is not decoded. gzip and Zstandard are recognised by their first bytes. Only other bodies are decoded according to
/// the field.
struct ContentDecoder {
    /// The maximum number of nested codings.
    static let maxCodings = 3

    private var labels: ContentLabels
    /// The length of the encoded body from the origin.
    private let receivedBytes: Int

    /// Decodes the body of a response with a `Content-Encoding` field.
    ///
    /// Each decoding step has the limit and the budget of `body`.
    ///
    /// - Throws: ``FetchError/undecodable(coding:)`` if a coding is unknown, does not match the bytes or is damaged, if
    ///   there are too many codings, or if a coding decodes to more than ``DecodingLimits`` allow;
    ///   ``FetchError/tooLarge(limit:)`` and ``FetchError/overBudget(limit:)``.
    static func decoded(_ body: BoundedBytes, _ field: String) throws(FetchError) -> BoundedBytes {
        var decoder = ContentDecoder(labels: try ContentLabels(field), receivedBytes: body.bytes.count)
        var body = body
        var count = 0
        while let coding = decoder.coding(of: body.bytes) {
            count += 1
            guard count <= maxCodings else { throw .undecodable(coding: "a stack of more than \(maxCodings) codings") }
            decoder.labels.remove(coding)
            body = try decoder.undone(coding, body)
        }
        if let left = decoder.labels.codings.last(where: { $0 != .signedChunks }),
            !ImageSignature.begins(body.bytes)
        {
            throw .undecodable(coding: left.name)
        }
        return body
    }

    /// Returns the coding of some bytes; nil if the bytes are not encoded.
    private func coding(of bytes: [UInt8]) -> ContentLabels.Label? {
        if ImageSignature.begins(bytes) { return nil }
        if let format = CompressedFormat(beginningOf: bytes) { return format == .gzip ? .gzip : .zstandard }
        return labels.codings.last { label in
            switch label {
            case .deflate, .brotli: true
            case .signedChunks: SignedChunks.next(in: bytes, at: 0) != nil
            case .gzip, .zstandard, .unknown: false
            }
        }
    }

    private func undone(_ coding: ContentLabels.Label, _ body: BoundedBytes) throws(FetchError) -> BoundedBytes {
        let limits = DecodingLimits(receivedBytes: receivedBytes)
        let inner = DecodingLimits(receivedBytes: receivedBytes, isInner: true)
        let output = DecodedBytes(BoundedBytes(limit: body.limit, budget: body.budget, client: body.client)) { bytes in
            bytes.count <= inner.maxBytes || self.coding(of: bytes) == nil
        }
        guard let format = coding.format else {
            // Bytes after the end are ignored.
            let isWhole = SignedChunks.unpack(body.bytes) { output.append($0) }
            if let failure = output.failure { throw failure }
            guard isWhole else { throw .undecodable(coding: coding.name) }
            return output.content
        }
        do throws(DecodingError) {
            _ = try format.decode(body.bytes, limits, into: output)
            return output.content
        } catch {
            switch error {
            case .stopped where output.isEnough:
                throw .undecodable(coding: "\(coding.name) with another coding of more than \(inner.maxBytes) bytes")
            case .stopped: throw output.failure ?? .undecodable(coding: coding.name)
            case .damaged: throw .undecodable(coding: coding.name)
            case .tooManyBytes(let limit):
                throw .undecodable(coding: "\(coding.name) of more than \(limit) bytes, too many for its length")
            case .tooManyFrames:
                throw .undecodable(coding: "\(coding.name) of more than \(DecodingLimits.maxFrames) members or frames")
            case .noMemory: throw .overBudget(limit: body.budget.limit)
            }
        }
    }
}

/// The `aws-chunked` framing of Amazon's uploads.
///
/// A chunk of five bytes is `5;chunk-signature=…`, a line end, five bytes and a line end.
///
/// The last chunk is empty, and header fields may follow it.
///
/// Signatures are not checked. They protect the upload, and this service does not have the uploader's secret.
enum SignedChunks {
    /// The maximum length of the line before a chunk, in bytes.
    private static let maxLineBytes = 256

    /// Returns the range of the bytes in the chunk whose line starts at an index; nil without a chunk.
    static func next(in bytes: [UInt8], at start: Int) -> Range<Int>? {
        let line = bytes[start...].prefix(maxLineBytes)
        let digits = line.prefix { Hexadecimal.value($0) != nil }
        guard 1...15 ~= digits.count, let end = line.firstIndex(of: UInt8(ascii: "\n")), end > line.startIndex,
            bytes[end - 1] == UInt8(ascii: "\r"),
            digits.endIndex == end - 1 || bytes[digits.endIndex] == UInt8(ascii: ";")
        else { return nil }
        let count = digits.reduce(0) { $0 << 4 | Int(Hexadecimal.value($1) ?? 0) }
        guard count <= bytes.count - (end + 1) else { return nil }
        // bounded: a count is not negative
        return end + 1..<end + 1 + count
    }

    /// Writes the bytes of all chunks.
    ///
    /// Returns whether the framing is complete.
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
