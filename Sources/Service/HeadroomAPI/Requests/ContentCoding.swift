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
    struct Limits: Sendable {
        /// Maximum number of decoded bytes.
        var maxBytes: Int
        /// The budget for the memory of decoded bytes.
        var budget: ByteBudget
        /// The client whose fair share of the budget is used; nil if the client is not known.
        var client: Client?
        /// Returns whether the decoded body is no longer needed.
        var isCancelled: @Sendable () -> Bool = { false }
    }

    /// A decoded body.
    ///
    /// The share reserves memory for the bytes. It is nil for a body that was received without a coding.
    typealias Body = (bytes: [UInt8], share: ByteShare?)

    /// The number of bytes to decode of a body that is neither an image nor a form.
    ///
    /// It exceeds the maximum size of JSON or encoded-form parameters by one byte.
    private static let enoughBytes = RequestBody.maxJSONBytes + 1

    /// Maximum number of codings of one body.
    private static let maxCodings = 2

    /// Whether a request has a body that may have a coding.
    static func isDeclared(by request: ServerRequest) -> Bool {
        request.method == .post && request.headers.contains(.contentEncoding)
    }

    /// Whether a request has codings to decode.
    ///
    /// A body that starts like an image is not decoded, because clients also declare values that are not codings, such
    /// as `utf-8` and `binary`.
    static func isNeeded(by request: ServerRequest) -> Bool {
        request.headers.contains(.contentEncoding) && !beginsAsImage(request.body)
            && !names(request.headers[values: .contentEncoding]).isEmpty
    }

    /// Returns the body of a request without its content codings.
    ///
    /// If a decoded body is neither an image nor a form, and is larger than parameters may be, only its start is
    /// returned. The start is enough to report that the body is too large or has the wrong type.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - delimiter: The delimiter before the first part of a form; nil if the body is not declared as a form.
    ///   - limits: The limits of decoding.
    /// - Returns: The decoded body, or the unchanged body of the request.
    /// - Throws: A ``Problem`` with status 415 for an unknown coding, 400 for damaged data, 413 for too many bytes, and
    ///   503 without enough memory.
    static func body(of request: ServerRequest, delimiter: String?, _ limits: Limits) throws(Problem) -> Body {
        guard isNeeded(by: request) else { return (request.body, nil) }
        let words = names(request.headers[values: .contentEncoding])
        guard words.count <= maxCodings else { throw .unsupportedCoding(words.joined(separator: ", ")) }
        var formats: [CompressedFormat] = []
        for word in words {
            guard let format = format(word) else { throw .unsupportedCoding(word) }
            formats.append(format)
        }
        var body: Body = (request.body, nil)
        while let format = formats.popLast() {
            let isInner = !formats.isEmpty
            let decodingLimits = DecodingLimits(receivedBytes: request.body.count, isInner: isInner)
            body = try decoded(body.bytes, as: format, decodingLimits, limits) { bytes in
                isInner || bytes.count < enoughBytes || beginsAsImage(bytes)
                    || delimiter.map { beginsAsForm(bytes, $0) } ?? false
            }
        }
        return body
    }

    private static func beginsAsImage(_ bytes: [UInt8]) -> Bool {
        InputFormat.sniff(Array(bytes.prefix(InputFormat.signatureLength))) != nil
    }

    /// Whether a body starts with the first delimiter of a form.
    ///
    /// Ignores forms with a preamble before this delimiter.
    private static func beginsAsForm(_ bytes: [UInt8], _ delimiter: String) -> Bool {
        (bytes.starts(with: "\r\n".utf8) ? bytes.dropFirst(2) : bytes[...]).starts(with: delimiter.utf8)
    }

    /// Returns the declared codings in lower case, without `identity`.
    ///
    /// A long name is truncated.
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

    /// Decodes a body while `needsMore` returns true for the bytes decoded so far.
    ///
    /// - Throws: A ``Problem`` with status 400, 413 or 503.
    private static func decoded(
        _ bytes: [UInt8],
        as format: CompressedFormat,
        _ decodingLimits: DecodingLimits,
        _ limits: Limits,
        while needsMore: @escaping ([UInt8]) -> Bool
    ) throws(Problem) -> Body {
        let content = BoundedBytes(limit: limits.maxBytes, budget: limits.budget, client: limits.client)
        let output = DecodedBytes(content) { needsMore($0) && !limits.isCancelled() }
        do throws(DecodingError) {
            guard try format.decode(bytes, decodingLimits, into: output) == bytes.count else { throw .damaged }
        } catch {
            switch error {
            case .stopped where output.isEnough: break
            case .stopped:
                if case .tooLarge = output.failure { throw .decodedTooLarge(limit: limits.maxBytes) }
                throw .noMemoryToDecode
            case .damaged: throw .badRequest("The body does not match its Content-Encoding.")
            case .tooManyBytes(let limit): throw .decodedTooLarge(limit: limit, of: bytes.count)
            case .tooManyFrames:
                let maximum = DecodingLimits.maxFrames
                throw .badRequest("The encoded body has more than \(maximum) members or frames; send only one.")
            case .noMemory: throw .noMemoryToDecode
            }
        }
        return (output.content.bytes, output.content.share)
    }
}

extension Problem {
    /// Returns the problem for an unsupported coding: status 415 with `Accept-Encoding` (RFC 9110 §15.5.16).
    fileprivate static func unsupportedCoding(_ name: String) -> Problem {
        let word = ParameterError.shortened(name)
        let sentence = "The Content-Encoding \(word) is not supported: expected gzip, deflate, br, zstd or none."
        var problem = Problem(.invalidRequest, .unsupportedMediaType, sentence)
        problem.headers[.acceptEncoding] = "gzip, deflate, br, zstd"
        return problem
    }

    fileprivate static func decodedTooLarge(limit: Int) -> Problem {
        Problem(.tooLarge, .contentTooLarge, "The decoded body exceeds the limit of \(limit) bytes.")
    }

    fileprivate static func decodedTooLarge(limit: Int, of encoded: Int) -> Problem {
        let sentence = "The body of \(encoded) bytes decodes to more than \(limit) bytes."
        return Problem(.tooLarge, .contentTooLarge, "\(sentence) Send it without a coding.")
    }

    fileprivate static var noMemoryToDecode: Problem {
        var problem = Problem(.overloaded, .serviceUnavailable, "The memory limit for uploads is reached; retry later.")
        problem.retryAfter = .seconds(1)
        return problem
    }
}
