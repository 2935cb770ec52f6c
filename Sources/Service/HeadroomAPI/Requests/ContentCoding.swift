import Admission
import Decompression
import Fetching
import HTTPServer
import HTTPTypes
import Imaging
import Requests

/// The content codings of an upload (RFC 9110 §8.4.1).
enum ContentCoding {
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

    /// Whether a request has a body that may have a coding.
    static func isDeclared(by request: ServerRequest) -> Bool {
        request.method == .post && request.headers.contains(.contentEncoding)
    }

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
            guard let format = format(word) else { throw .unsupportedCoding(word) }
            body = try decoded(body.bytes, as: format, limits)
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

    private static func format(_ name: String) -> CompressedFormat? {
        switch name {
        case "gzip", "x-gzip": .gzip
        case "deflate": .deflate
        case "br": .brotli
        case "zstd": .zstandard
        default: nil
        }
    }

    /// Decodes a whole body.
    ///
    /// - Throws: A ``Problem`` with status 400, 413 or 503.
    private static func decoded(
        _ bytes: [UInt8],
        as format: CompressedFormat,
        _ limits: Limits
    ) throws(Problem) -> Body {
        var decoded = BoundedBytes(limit: limits.maxBytes, budget: limits.budget)
        var failure: FetchError?
        let end = format.decode(bytes, restart: { decoded.removeAll() }) { piece in
            failure = decoded.append(piece)
            return failure == nil
        }
        switch failure {
        case .tooLarge: throw .decodedTooLarge(limit: limits.maxBytes)
        case .some: throw .noMemoryToDecode
        case nil where end == bytes.count: return (decoded.bytes, decoded.share)
        case nil: throw .badRequest("The body cannot be decoded as its Content-Encoding says.")
        }
    }
}

extension Problem {
    /// The problem of a coding that is not supported: status 415 with `Accept-Encoding` (RFC 9110 §15.5.16).
    fileprivate static func unsupportedCoding(_ name: String) -> Problem {
        let word = ParameterError.shortened(name)
        let sentence = "The Content-Encoding \(word) is not supported: expected gzip, deflate, br, zstd or none."
        var problem = Problem(.invalidRequest, .unsupportedMediaType, sentence)
        problem.headers[.acceptEncoding] = "gzip, deflate, br, zstd"
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
