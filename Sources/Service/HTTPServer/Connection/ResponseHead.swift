import Encodings
import Glibc
import HTTPTypes

/// Serialises status lines and header sections.
enum ResponseHead {
    static let proceed = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Whether the connection persists after a response, and how the response states this.
    enum Persistence {
        /// The default of HTTP/1.1: persistent, without a field.
        case byDefault
        /// `Connection: keep-alive`, which HTTP/1.0 requires (RFC 9112 §9.3), and `Keep-Alive: timeout=…`.
        ///
        /// The value is in seconds; the second field is absent if it is 0.
        case announced(idleSeconds: Int)
        case close
    }

    /// Serialises the head of a response to a request.
    ///
    /// `method` is nil if the request's method is unknown.
    ///
    /// `date` is the value of `Date`. `isChunked` means that the stream of the response is sent with chunked transfer
    /// coding.
    static func serialize(
        _ response: ServerResponse,
        to method: HTTPRequest.Method?,
        persistence: Persistence,
        date: [UInt8],
        isChunked: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        // The capacity includes the body of a small response, which is appended later.
        bytes.reserveCapacity(1024 + (response.body.count <= OutputQueue.copiedBytes ? response.body.count : 0))
        var declaredLength: String?
        var hasDate = false
        if let (head, value) = response.preparedHead {
            bytes.append(contentsOf: head.parts.start)
            bytes.append(value)
            bytes.append(contentsOf: head.parts.end)
        } else {
            bytes.append(statusLine: response.status)
        }
        for field in response.headers {
            switch field.name {
            case .contentLength:
                declaredLength = field.value
                continue
            case .connection, .transferEncoding, .upgrade, .trailer: continue
            case .date: hasDate = true
            default: break
            }
            bytes.append(field)
        }
        if !hasDate {
            bytes.append("Date: ")
            bytes.append(contentsOf: date)
            bytes.append("\r\n")
        }
        if response.stream != nil {
            // RFC 9112 §6.1: HTTP/1.0 does not have transfer codings, so closing the connection ends the body.
            if isChunked { bytes.append("Transfer-Encoding: chunked\r\n") }
        } else if let length = contentLength(of: response, to: method, declared: declaredLength) {
            bytes.append("Content-Length: ")
            bytes.append(decimal: length)
            bytes.append("\r\n")
        }
        switch persistence {
        case .byDefault: break
        case .announced(let idleSeconds):
            bytes.append("Connection: keep-alive\r\n")
            if idleSeconds > 0 {
                bytes.append("Keep-Alive: timeout=")
                bytes.append(decimal: idleSeconds)
                bytes.append("\r\n")
            }
        case .close: bytes.append("Connection: close\r\n")
        }
        bytes.append("\r\n")
        return bytes
    }

    /// Whether HTTP allows a body in the response (RFC 9112 §6.3).
    static func allowsBody(_ status: HTTPResponse.Status, to method: HTTPRequest.Method?) -> Bool {
        method != .head && status != .noContent && status != .notModified
    }

    /// RFC 9110 §8.6: a 204 does not have a length.
    ///
    /// For HEAD and 304, it is the length of the body for GET, if available.
    private static func contentLength(
        of response: ServerResponse,
        to method: HTTPRequest.Method?,
        declared: String?
    ) -> Int? {
        if response.status == .noContent { return nil }
        if allowsBody(response.status, to: method) || !response.body.isEmpty { return response.body.count }
        if let declared = declared.flatMap({ Int($0) }), declared >= 0 { return declared }
        return response.status == .notModified ? nil : 0
    }
}

/// The value of the Date field (RFC 9110 §5.6.7), cached for one second.
struct DateField {
    private var second: time_t = -1
    private var bytes: [UInt8] = []

    /// Returns the current time as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    mutating func now() -> [UInt8] {
        let now = time(nil)
        if now != second {
            second = now
            bytes = Array(UTCTime(seconds: now).httpDate.utf8)
        }
        return bytes
    }
}
