import CLinux

/// Takes a response from libcurl, piece by piece, and decides how much of it to take.
final class ResponseReceiver {
    /// As much of an error's or a redirect's body is read, and dropped, to keep the connection for the next request.
    static let maxIgnoredBytes = 16 << 10

    /// Pages are laid this far ahead of what has come, so that a length that lies costs no more.
    private static let bytesLaidAhead = 1 << 18

    private let maxBytes: Int
    private(set) var header = ResponseHeader()
    /// The body of a 200.
    private(set) var body: [UInt8] = []
    /// What is wrong with the response, found before libcurl found anything.
    private(set) var failure: FetchError?
    private var ignoredBytes = 0
    /// Of the body, from its beginning.
    private var laidBytes = 0

    /// Whether the status says everything, so that it does not matter how the transfer ended.
    var hasBodilessAnswer: Bool {
        header.isComplete && header.status != 200
    }

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    func reset() {
        header = ResponseHeader()
        body = []
        failure = nil
        ignoredBytes = 0
        laidBytes = 0
    }

    /// - Returns: Whether to go on.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        // What follows the header is a trailer, and nothing here uses one.
        guard !header.isComplete else { return true }
        guard header.append(line) else {
            failure = .invalidResponse("the header is larger than \(ResponseHeader.maxBytes) bytes")
            return false
        }
        guard header.isComplete else { return true }
        if header.status == 200 {
            failure = checkBody()
            return failure == nil
        }
        let declared = header[.contentLength].flatMap { Int($0) } ?? .max
        return declared <= Self.maxIgnoredBytes && header[.transferEncoding] == nil
    }

    /// - Returns: Whether to go on.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard header.status == 200 else {
            ignoredBytes += bytes.count
            return ignoredBytes <= Self.maxIgnoredBytes
        }
        guard bytes.count <= maxBytes - body.count else {
            failure = .tooLarge(limit: maxBytes)
            return false
        }
        layPages(for: bytes.count)
        body.append(contentsOf: bytes)
        return true
    }

    /// Prepares the memory that was reserved for a body of known length.
    private func layPages(for count: Int) {
        let end = min(body.count + count + Self.bytesLaidAhead, body.capacity)
        guard end > laidBytes, body.count + count > laidBytes, body.count + count <= body.capacity else { return }
        body.withUnsafeMutableBufferPointer { [laidBytes] buffer in
            if let base = buffer.baseAddress { hr_lay_pages(base + laidBytes, end - laidBytes) }
        }
        laidBytes = end
    }

    /// Judges a 200 by its header, and makes room for its body.
    private func checkBody() -> FetchError? {
        // No encoding is asked for, but some origins compress all the same. The one that every server knows is
        // inflated; refusing it would fail images that every browser shows. More decoders would be more to attack.
        let encoding = header[.contentEncoding]?.lowercased() ?? "identity"
        guard ["identity", "gzip", "x-gzip", "deflate", ""].contains(encoding) else {
            return .invalidResponse("the content encoding is \(encoding)")
        }
        let transfer = header[.transferEncoding]?.lowercased() ?? "chunked"
        guard transfer == "chunked" || transfer == "identity" else {
            return .invalidResponse("the transfer encoding is \(transfer)")
        }
        guard let declared = header[.contentLength], header[.transferEncoding] == nil else { return nil }
        guard !declared.isEmpty, declared.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return .invalidResponse("the content length is \(declared)")
        }
        // More digits than Int holds is more than any limit.
        guard let length = Int(declared), length <= maxBytes else { return .tooLarge(limit: maxBytes) }
        // Untouched pages cost nothing, so a length that lies costs next to nothing either.
        body.reserveCapacity(length)
        return nil
    }
}
