import UntrustedText
import Admission
import Encodings

/// Receives the parts of a response from libcurl and enforces limits.
final class ResponseReceiver {
    /// The maximum size, in bytes, of an error's or redirect's body that is read and discarded to keep the connection
    /// open.
    static let maxIgnoredBytes = 16 << 10

    /// The maximum size of the trailer section of a response, in bytes.
    ///
    /// Trailers are ignored, but libcurl keeps them in memory until the end of the transfer.
    static let maxTrailerBytes = 16 << 10

    /// The number of pieces of a body that may be smaller than ``minPieceBytes`` on average.
    ///
    /// Each chunk of a body is a separate piece, and takes about 0.1 µs of processor time even if it has one byte.
    static let maxSmallPieces = 65_536

    /// The minimum mean size of the pieces after ``maxSmallPieces``, in bytes.
    static let minPieceBytes = 64

    /// Receives the body of a 200 instead of ``body``.
    var sink: BodySink?
    /// The body of a 200 or a complete 206.
    ///
    /// A partial 206 is also stored if parts are expected.
    private var content: BoundedBytes
    private(set) var header = ResponseHeader()
    /// An error that was found before libcurl reported one.
    private(set) var failure: FetchError?
    private var trailerBytes = 0
    private var bodyBytes = 0
    private var bodyPieces = 0
    /// Whether a 206 with a part of a body is expected.
    var acceptsParts = false
    /// Whether ``errorText`` stores the body of an error; true only for an origin that the operator configured.
    var keepsErrors = false
    /// The start of the body of an error.
    private(set) var errorText: [UInt8] = []

    /// Whether the status does not need a body.
    ///
    /// If so, the end of the transfer is irrelevant.
    var hasBodilessResponse: Bool { header.isComplete && !hasBody }

    /// Whether a response with this status has a useful body.
    ///
    /// 203 is a 200 that a proxy changed (RFC 9110 §15.3.4). A 206 that was not requested is accepted if its part is
    /// the whole file, because some caches and object stores respond to every request with 206.
    private var hasBody: Bool {
        switch header.status {
        case 200, 203: true
        case 206: acceptsParts || header.wholePart != nil
        default: false
        }
    }

    /// Creates a receiver for bodies of at most `maxBytes`, whose memory is reserved in `budget`.
    init(maxBytes: Int, budget: ByteBudget) {
        content = BoundedBytes(limit: maxBytes, budget: budget)
    }

    /// The maximum size of an accepted body, in bytes.
    var maxBytes: Int {
        get { content.limit }
        set { content.limit = newValue }
    }

    /// The client whose fair share of the budget the body uses; nil if the client is unknown.
    var client: Client? {
        get { content.client }
        set { content.client = newValue }
    }

    /// The bytes of the body.
    var body: [UInt8] { content.bytes }

    /// The memory of the body.
    var share: ByteShare? { content.share }

    /// Checks a body that was received completely, and decodes its content codings.
    ///
    /// - Throws: ``FetchError/invalidResponse(_:)`` if it is empty, ``FetchError/incomplete(_:)`` if a 206 has fewer
    ///   bytes than it declares, or an error of ``ContentDecoder``.
    func finishBody() throws(FetchError) {
        guard sink == nil else { return }
        if header.status == 206, !acceptsParts, header.wholePart != body.count {
            throw .incomplete("the body of \(body.count) bytes does not match its range")
        }
        guard !body.isEmpty else { throw .invalidResponse("the body is empty") }
        guard !acceptsParts, let field = header[.contentEncoding] else { return }
        content = try ContentDecoder.decoded(content, field)
        guard !body.isEmpty else { throw .invalidResponse("the body is empty") }
    }

    func reset() {
        header = ResponseHeader()
        content.removeAll()
        failure = nil
        trailerBytes = 0
        bodyBytes = 0
        bodyPieces = 0
        errorText = []
    }

    /// - Returns: Whether to continue.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !header.isComplete else { return receiveTrailer(line) }
        guard header.append(line) else {
            failure = .invalidResponse("the header is larger than \(ResponseHeader.maxBytes) bytes")
            return false
        }
        guard header.isComplete else { return true }
        if hasBody {
            failure = checkBody()
            return failure == nil
        }
        if keepsErrors, header[.transferEncoding]?.bytes.matches("chunked") == true { return true }
        guard header[.transferEncoding] == nil else { return false }
        return header[.contentLength].flatMap { Int($0) } ?? .max <= Self.maxIgnoredBytes
    }

    /// Ignores a line after the header, which is a trailer.
    private func receiveTrailer(_ line: UnsafeRawBufferPointer) -> Bool {
        trailerBytes += line.count
        guard trailerBytes > Self.maxTrailerBytes else { return true }
        failure = .invalidResponse("the trailers are larger than \(Self.maxTrailerBytes) bytes")
        return false
    }

    /// - Returns: Whether to continue.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += bytes.count
        bodyPieces += 1
        guard bodyPieces - Self.maxSmallPieces <= bodyBytes / Self.minPieceBytes else {
            failure = .invalidResponse("the chunks of the body are too small")
            return false
        }
        guard hasBody else {
            // bounded: not negative
            if keepsErrors { errorText += bytes.prefix(max(0, Self.maxIgnoredBytes - errorText.count)) }
            return bodyBytes <= Self.maxIgnoredBytes
        }
        if let sink {
            guard !sink.receive(bytes) else { return true }
            failure = .cancelled
            return false
        }
        failure = content.append(bytes)
        return failure == nil
    }

    /// Validates the header of a 200 response and reserves memory for its body.
    private func checkBody() -> FetchError? {
        if sink != nil, let field = header[.contentEncoding] {
            // A stream cannot be decoded, because it is passed on while it arrives.
            do throws(FetchError) {
                if let coding = try ContentLabels(field).codings.last { return .undecodable(coding: coding.name) }
            } catch {
                return error
            }
        }
        let transfer = header[.transferEncoding]?.bytes.lowercased() ?? "chunked"
        guard transfer == "chunked" || transfer == "identity" else {
            return .invalidResponse("the transfer encoding is \(transfer)")
        }
        if sink != nil { return nil }
        guard let declared = header[.contentLength], header[.transferEncoding] == nil else { return nil }
        guard let digits = ResponseHeader.agreedLength(declared) else {
            return .invalidResponse(
                "the content length is \(String(decoding: declared.utf8.prefix(64), as: UTF8.self))"
            )
        }
        // A number that exceeds Int exceeds every limit.
        guard let length = Int(digits), length <= maxBytes else { return .tooLarge(limit: maxBytes) }
        // Untouched pages do not use memory. A false length therefore only reserves its share of the budget until the
        // fetch ends.
        return content.reserve(length)
    }
}

/// The relevant fields of a response header, collected from libcurl line by line.
struct ResponseHeader {
    /// The maximum header size of one hop in bytes, including interim responses; browsers and proxies have similar
    /// limits.
    static let maxBytes = 64 << 10

    /// The maximum number of stored cookies of one response.
    static let maxCookies = 20

    /// The status; 0 before the first status line.
    private(set) var status = 0
    private(set) var isComplete = false
    /// Trimmed field values.
    ///
    /// Several fields with one name are joined by commas (RFC 9110 §5.3).
    private var fields: [Field: String] = [:]
    /// The `Set-Cookie` values, which cannot be joined; at most ``maxCookies``.
    private(set) var cookies: [[UInt8]] = []
    private var receivedBytes = 0
    /// Whether a status line was received but the end of its header was not.
    private var hasBegun = false

    enum Field: String {
        case age
        case bucketRegion = "x-amz-bucket-region"
        case cacheControl = "cache-control"
        case contentEncoding = "content-encoding"
        case contentRange = "content-range"
        case contentLength = "content-length"
        case contentType = "content-type"
        case date
        case etag
        case expires
        case lastModified = "last-modified"
        case location
        case retryAfter = "retry-after"
        case transferEncoding = "transfer-encoding"

        /// The maximum length of a name, in bytes.
        static let maxBytes = 32
    }

    subscript(field: Field) -> String? {
        fields[field]
    }

    /// Returns the value of a field that can be repeated in other messages: visible ASCII and spaces, at most 1024
    /// bytes.
    func repeatable(_ field: Field) -> String? {
        guard let value = fields[field], value.utf8.count <= 1024 else { return nil }
        return value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } ? value : nil
    }

    /// Returns the digits of a content length.
    ///
    /// The field may repeat the same value (RFC 9110 §8.6). Nil for other text.
    static func agreedLength(_ value: String) -> String? {
        guard value.utf8.count <= 1024 else { return nil }
        let members = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { member in
            member.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        }
        guard let first = members.first, !first.isEmpty, first.allSatisfy(\.isDecimalDigit),
            members.allSatisfy({ $0 == first })
        else { return nil }
        return String(decoding: first, as: UTF8.self)
    }

    /// The length of the file if `Content-Range` shows that the part is the whole file, such as `bytes 0-9/10`;
    /// otherwise nil.
    var wholePart: Int? {
        guard let value = fields[.contentRange], value.utf8.count <= 64 else { return nil }
        let text = Array(value.utf8)
        let unit = Array("bytes ".utf8)
        guard text.prefix(unit.count).map({ $0 | 0x20 }) == unit.map({ $0 | 0x20 }) else { return nil }
        // trusted: these are bytes
        let numbers = text.dropFirst(unit.count).split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/")
        }
        .map { digits in
            1...15 ~= digits.count && digits.allSatisfy(\.isDecimalDigit)
                ? Int(String(decoding: digits, as: UTF8.self)) : nil
        }
        guard numbers.count == 3, numbers[0] == 0, let last = numbers[1], let length = numbers[2], last + 1 == length
        else { return nil }
        return length
    }

    /// Appends one line including its line end.
    ///
    /// Returns false if the header has become too large.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        receivedBytes += line.count
        guard receivedBytes <= Self.maxBytes else { return false }
        let text = Self.trimmed(line[...])
        if !hasBegun, line.starts(with: "HTTP/".utf8) {
            // A new response starts, possibly after an interim response. Inside a header, a line that starts like a
            // status line is a field with an unusual name, and must not discard the previous fields.
            hasBegun = true
            fields = [:]
            cookies = []
            status = Self.status(of: text)
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            // Interim responses (1xx) precede the final response (RFC 9110 §15.2).
            hasBegun = false
            isComplete = !(100...199 ~= status)
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            // A folded line (RFC 9112 §5.2) is obsolete and never occurs in the fields that are stored here.
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = text[..<colon]
            guard name.count <= Field.maxBytes, name.allSatisfy({ $0 < 0x80 }) else { return true }
            let known = String(decoding: name.map(\.lowercasedASCII), as: UTF8.self)
            let content = Self.trimmed(text[(colon + 1)...])
            if known == "set-cookie", cookies.count < Self.maxCookies { cookies.append(Array(content)) }
            guard let field = Field(rawValue: known), let value = Self.value(content, of: field) else { return true }
            if fields[field]?.append(", \(value)") == nil { fields[field] = value }
        }
        return true
    }

    /// Returns the text of a field.
    ///
    /// A field that is not ASCII is nil and counts as absent.
    private static func value(_ content: Slice<UnsafeRawBufferPointer>, of field: Field) -> String? {
        if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
        return switch field {
        // Some origins do not percent-encode the characters of a URL.
        case .location: String(decoding: content, as: UTF8.self)
        // An unknown coding is refused, so it must not count as absent.
        case .contentEncoding, .transferEncoding:
            String(decoding: content.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        default: nil
        }
    }

    private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let start = bytes.drop { $0 <= 0x20 }
        guard let last = start.lastIndex(where: { $0 > 0x20 }) else { return start.prefix(0) }
        return start[...last]
    }
}
