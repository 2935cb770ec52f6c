import Admission
import CZlib
import HTTPServer
import HTTPTypes
import Imaging
import Requests

/// A content coding of an upload (RFC 9110 §8.4.1).
enum ContentCoding {
    case gzip
    /// The zlib format (RFC 1950); raw deflate data (RFC 1951) are accepted too, as some clients send them.
    case deflate

    /// The limits of decoding.
    struct Limits {
        /// Maximum number of decoded bytes.
        var maxBytes: Int
        /// The memory from which decoded bytes are taken.
        var budget: ByteBudget
    }

    /// A decoded body; the bytes use the share, which is nil for a body that came without a coding.
    typealias Body = (bytes: [UInt8], share: ByteShare?)

    /// Maximum number of codings of one body.
    private static let mostCodings = 2

    /// The body of a request without its content codings.
    ///
    /// A body that begins as a picture is taken as it is, because clients also declare what is no coding, such as
    /// `utf-8` or `binary`.
    ///
    /// - Throws: A ``Problem`` with status 415 for an unknown coding, 400 for damaged data, 413 for too many bytes, and
    ///   503 without enough memory.
    static func body(of request: ServerRequest, _ limits: Limits) throws(Problem) -> Body {
        guard request.headers.contains(.contentEncoding) else { return (request.body, nil) }
        let words = names(request.headers[values: .contentEncoding])
        guard !words.isEmpty, SourceFormat.sniff(Array(request.body.prefix(SourceFormat.signatureLength))) == nil else {
            return (request.body, nil)
        }
        guard words.count <= mostCodings else { throw .unsupportedCoding(words.joined(separator: ", ")) }
        var body: Body = (request.body, nil)
        for word in words.reversed() {
            guard let coding = ContentCoding(word) else { throw .unsupportedCoding(word) }
            body = try coding.decoded(body.bytes, limits)
        }
        return body
    }

    /// The declared codings in lower case, without `identity`; of each name the first bytes.
    private static func names(_ values: [String]) -> [String] {
        values.flatMap { value in
            value.utf8.prefix(256).split(separator: UInt8(ascii: ",")).compactMap { part -> String? in
                let name = part.filter { $0 > 0x20 && $0 < 0x7F }.prefix(32).map { byte in
                    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
                }
                let text = String(decoding: name, as: UTF8.self)
                return text.isEmpty || text == "identity" ? nil : text
            }
        }
    }

    private init?(_ name: String) {
        switch name {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    private func decoded(_ bytes: [UInt8], _ limits: Limits) throws(Problem) -> Body {
        guard let share = limits.budget.take(0) else { throw .noMemoryToDecode }
        // 16 selects gzip, and a negative number raw data.
        let windowBits: Int32 = self == .gzip ? 15 + 16 : Self.isZlib(bytes) ? 15 : -15
        let inflater = Inflater(windowBits: windowBits)
        guard let inflater else { throw .noMemoryToDecode }
        return (try inflater.inflate(bytes, limits.maxBytes, share), share)
    }

    /// Whether data begin with the header of the zlib format.
    private static func isZlib(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1 else { return false }
        return bytes[0] & 0x0F == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    }
}

/// A decompressor of zlib.
private final class Inflater {
    private var stream = z_stream()

    /// Bytes that are decoded at once.
    private static let step = 256 * 1024

    init?(windowBits: Int32) {
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { return nil }
    }

    deinit { inflateEnd(&stream) }

    /// Decodes a whole body; memory is reserved in `share` before it is allocated.
    ///
    /// - Throws: A ``Problem`` with status 400, 413 or 503.
    func inflate(_ bytes: [UInt8], _ maxBytes: Int, _ share: ByteShare) throws(Problem) -> [UInt8] {
        var decoded: [UInt8] = []
        var consumed = 0
        while true {
            guard share.grow(by: Self.step) else { throw .noMemoryToDecode }
            let part = next(bytes, from: consumed)
            consumed += part.consumed
            decoded += part.bytes
            guard decoded.count <= maxBytes else { throw .decodedTooLarge(limit: maxBytes) }
            switch part.status {
            case Z_STREAM_END where consumed == bytes.count:
                share.shrink(by: share.bytes - decoded.count)
                return decoded
            // Members of a gzip file may follow each other (RFC 1952 §2.2).
            case Z_STREAM_END where inflateReset(&stream) == Z_OK && part.consumed > 0: continue
            case Z_OK where part.consumed > 0 || !part.bytes.isEmpty: continue
            default: throw .badRequest("The body cannot be decoded as its Content-Encoding says.")
            }
        }
    }

    /// Decodes the next bytes.
    private func next(_ bytes: [UInt8], from start: Int) -> (status: Int32, consumed: Int, bytes: [UInt8]) {
        let available = bytes.count - start
        var status = Z_OK
        let decoded = [UInt8](unsafeUninitializedCapacity: Self.step) { output, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib does not write to its input.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + start })
                stream.avail_in = UInt32(available)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(Self.step)
                status = CZlib.inflate(&stream, Z_NO_FLUSH)
            }
            count = Self.step - Int(stream.avail_out)
        }
        return (status, available - Int(stream.avail_in), decoded)
    }
}

extension Problem {
    /// The problem of a coding that is not supported: status 415 with `Accept-Encoding` (RFC 9110 §15.5.16).
    fileprivate static func unsupportedCoding(_ name: String) -> Problem {
        let word = ParameterError.shortened(name)
        let sentence = "The Content-Encoding \(word) is not supported: expected gzip, deflate or none."
        var problem = Problem(.invalidRequest, .unsupportedMediaType, sentence)
        problem.headers[.acceptEncoding] = "gzip, deflate"
        return problem
    }

    fileprivate static func decodedTooLarge(limit: Int) -> Problem {
        Problem(.tooLarge, .contentTooLarge, "The body has more than \(limit) bytes without its Content-Encoding.")
    }

    fileprivate static var noMemoryToDecode: Problem {
        var problem = Problem(.overloaded, .serviceUnavailable, "There is no memory to decode the body now.")
        problem.retryAfter = .seconds(1)
        return problem
    }
}
