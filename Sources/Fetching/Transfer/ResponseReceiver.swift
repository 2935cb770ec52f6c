import UntrustedText
import Admission
import CLinux
import Encodings

/// Receives a response from libcurl piece by piece, and enforces its limits.
final class ResponseReceiver {
    /// The bytes of an error's or a redirect's body that are read and dropped to keep the connection open.
    static let maxIgnoredBytes = 16 << 10

    /// Initial capacity for a body of unknown length; doubled whenever it is full.
    static let firstRoom = 1 << 18

    /// The number of bytes by which prefaulted pages are ahead of received bytes: a false length allocates no more.
    private static let bytesLaidAhead = 1 << 18

    /// Receives the body of a 200 instead of ``body``.
    var sink: BodySink?
    /// The largest accepted body.
    var maxBytes: Int
    private let budget: ByteBudget
    /// The memory of the body.
    private(set) var share: ByteShare?
    private(set) var header = ResponseHeader()
    /// The body of a 200, or of a 206 if parts are expected.
    private(set) var body: [UInt8] = []
    /// An error found before libcurl reported one.
    private(set) var failure: FetchError?
    private var ignoredBytes = 0
    /// Whether 206 is expected, with a part of a body.
    var acceptsParts = false
    /// Whether the body of an error is kept in ``errorText``: only if its origin is the operator's own.
    var keepsErrors = false
    /// The beginning of the body of an error.
    private(set) var errorText: [UInt8] = []
    /// Bytes of the body whose pages are prefaulted.
    private var laidBytes = 0

    /// Whether the status needs no body, so that the end of the transfer is irrelevant.
    var hasBodilessAnswer: Bool { header.isComplete && !hasBody }

    /// Whether the status is one whose body is wanted.
    private var hasBody: Bool { header.status == 200 || acceptsParts && header.status == 206 }

    /// Accepts bodies of at most `maxBytes` whose memory is available in `budget`.
    init(maxBytes: Int, budget: ByteBudget) {
        self.maxBytes = maxBytes
        self.budget = budget
    }

    func reset() {
        header = ResponseHeader()
        body = []
        share = nil
        failure = nil
        ignoredBytes = 0
        errorText = []
        laidBytes = 0
    }

    /// - Returns: Whether to continue.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        // Lines after the header are trailers, which are not used.
        guard !header.isComplete else { return true }
        guard header.append(line) else {
            failure = .invalidResponse("the header is larger than \(ResponseHeader.maxBytes) bytes")
            return false
        }
        guard header.isComplete else { return true }
        if hasBody {
            failure = checkBody()
            return failure == nil
        }
        // libcurl would decode a body that is not used, with every decoder it has.
        guard header[.contentEncoding] == nil else { return false }
        if keepsErrors, header[.transferEncoding]?.bytes.matches("chunked") == true { return true }
        guard header[.transferEncoding] == nil else { return false }
        return header[.contentLength].flatMap { Int($0) } ?? .max <= Self.maxIgnoredBytes
    }

    /// - Returns: Whether to continue.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard hasBody else {
            ignoredBytes += bytes.count
            if keepsErrors { errorText += bytes.prefix(Self.maxIgnoredBytes - errorText.count) }
            return ignoredBytes <= Self.maxIgnoredBytes
        }
        if let sink {
            guard !sink.receive(bytes) else { return true }
            failure = .cancelled
            return false
        }
        guard bytes.count <= maxBytes - body.count else {
            failure = .tooLarge(limit: maxBytes)
            return false
        }
        guard makeRoom(for: bytes.count) else { return false }
        layPages(for: bytes.count)
        body.append(contentsOf: bytes)
        return true
    }

    /// Reserves memory for more of the body in the budget before it is allocated.
    private func makeRoom(for count: Int) -> Bool {
        let needed = body.count + count
        guard needed > body.capacity else { return true }
        let (old, new) = (body.capacity, min(maxBytes, max(needed, 2 * body.capacity, Self.firstRoom)))
        return reserve(new, instead: old)
    }

    /// Reserves `new` bytes; old and new memory are both in use during the copy.
    private func reserve(_ new: Int, instead old: Int) -> Bool {
        let isTaken: Bool
        if let share {
            isTaken = share.grow(by: new)
        } else {
            share = budget.take(new)
            isTaken = share != nil
        }
        guard isTaken else {
            failure = .overBudget(limit: budget.limit)
            return false
        }
        body.reserveCapacity(new)
        if let share, old > 0 { share.shrink(by: share.bytes - new) }
        return true
    }

    /// Prefaults the memory reserved for a body of known length.
    private func layPages(for count: Int) {
        let end = min(body.count + count + Self.bytesLaidAhead, body.capacity)
        guard end > laidBytes, body.count + count > laidBytes, body.count + count <= body.capacity else { return }
        body.withUnsafeMutableBufferPointer { [laidBytes] buffer in
            if let base = buffer.baseAddress { hr_lay_pages(base + laidBytes, end - laidBytes) }
        }
        laidBytes = end
    }

    /// Validates the header of a 200, and reserves memory for its body.
    private func checkBody() -> FetchError? {
        // No encoding is requested, but some origins compress all the same. gzip and deflate are decoded, as in every
        // browser; more decoders would enlarge the attack surface.
        let encoding = header[.contentEncoding]?.bytes.lowercased() ?? "identity"
        let encodings = sink == nil ? ["identity", "gzip", "x-gzip", "deflate", ""] : ["identity", ""]
        guard encodings.contains(encoding) else {
            return .invalidResponse("the content encoding is \(encoding)")
        }
        let transfer = header[.transferEncoding]?.bytes.lowercased() ?? "chunked"
        guard transfer == "chunked" || transfer == "identity" else {
            return .invalidResponse("the transfer encoding is \(transfer)")
        }
        if sink != nil { return nil }
        guard let declared = header[.contentLength], header[.transferEncoding] == nil else { return nil }
        guard !declared.isEmpty, declared.isDecimal else {
            return .invalidResponse("the content length is \(declared)")
        }
        // A number that exceeds Int exceeds every limit.
        guard let length = Int(declared), length <= maxBytes else { return .tooLarge(limit: maxBytes) }
        // Untouched pages use no memory, so a false length only reserves its share of the budget until the fetch ends.
        return reserve(length, instead: 0) ? nil : failure
    }
}

/// Receives the body of a response while it arrives, on the thread of the transfer.
package struct BodySink: Sendable {
    /// The longest time without a byte; rounded up to seconds.
    package let idleTime: Duration
    /// Receives the next bytes; false ends the transfer.
    package let receive: @Sendable (UnsafeRawBufferPointer) -> Bool

    package init(idleTime: Duration, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
        self.idleTime = idleTime
        self.receive = receive
    }
}

/// The relevant fields of a response header, collected from libcurl line by line.
struct ResponseHeader {
    /// Header bytes of one hop, including interim responses; browsers and proxies have similar limits.
    static let maxBytes = 64 << 10

    /// 0 until the first status line.
    private(set) var status = 0
    private(set) var isComplete = false
    /// Trimmed field values; several fields of a name are joined by commas (RFC 9110 §5.3).
    private var fields: [Field: String] = [:]
    private var receivedBytes = 0
    /// Whether a status line was received but not the end of its header.
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
        case transferEncoding = "transfer-encoding"

        /// The length of the longest name.
        static let maxBytes = 32
    }

    subscript(field: Field) -> String? {
        fields[field]
    }

    /// The field if it can be repeated in other messages: visible ASCII and blanks, at most 1024 bytes.
    func repeatable(_ field: Field) -> String? {
        guard let value = fields[field], value.utf8.count <= 1024 else { return nil }
        return value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 } ? value : nil
    }

    /// Appends one line including its line end; returns false if the header has become too large.
    mutating func append(_ line: UnsafeRawBufferPointer) -> Bool {
        receivedBytes += line.count
        guard receivedBytes <= Self.maxBytes else { return false }
        let text = Self.trimmed(line[...])
        if !hasBegun, line.starts(with: "HTTP/".utf8) {
            // A new response begins, possibly after an interim one. Inside a header, such a line is a field with an
            // unusual name, which must not discard the fields before it.
            hasBegun = true
            fields = [:]
            status = Self.status(of: text)
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            // Interim responses (1xx) precede the final one (RFC 9110 §15.2).
            hasBegun = false
            isComplete = !(100...199 ~= status)
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            // A folded line (RFC 9112 §5.2): obsolete, and never used for the fields collected here.
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = text[..<colon]
            guard name.count <= Field.maxBytes, name.allSatisfy({ $0 < 0x80 }),
                let field = Field(rawValue: String(decoding: name.map(\.lowercasedASCII), as: UTF8.self))
            else { return true }
            let content = Self.trimmed(text[(colon + 1)...])
            // Some origins do not encode the characters of an address; no other field that is read has such text.
            guard field == .location || content.allSatisfy({ $0 < 0x80 }) else { return true }
            let value = String(decoding: content, as: UTF8.self)
            if fields[field]?.append(", \(value)") == nil { fields[field] = value }
        }
        return true
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
