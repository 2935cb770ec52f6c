@testable import HTTPServer
import HTTPTypes

extension Fuzzer {
    /// Requests: the result must not depend on the boundaries of pieces, and a serialised request must parse to an equal
    /// request.
    static let httpRequest = Fuzzer(name: "http-request", maxLength: 2048) {
        let host = "Host: example.com\r\n"
        return [
            "GET /frame?aspect=16:9&url=https://example.com/a.jpg HTTP/1.1\r\n\(host)Accept: image/webp, */*;q=0.5\r\n\r\n",
            "POST /frame HTTP/1.1\r\n\(host)Content-Length: 3\r\nExpect: 100-continue\r\n\r\nabcGET / HTTP/1.0\r\n\r\n",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1 ; a ; b = \"\\\"\\t\" ;c=d\r\na\r\n00;x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\n\(host)Connection: keep-alive, close\r\n\r\n",
            "\r\nGET http://[::1]:8080/a?b HTTP/1.1\r\nHost: h:1\r\n\r\nHEAD / HTTP/1.1\r\n\(host)\r\n",
        ].map { Array($0.utf8) }
    } run: { input in
        let whole = Transcript(of: [input[...]])
        let cut = input.isEmpty ? 0 : Int(truncatingIfNeeded: input.digest % UInt64(input.count))
        precondition(Transcript(of: [input[..<cut], input[cut...]]) == whole, "cut at \(cut)")
        precondition(Transcript(of: input.indices.map { input[$0...$0] }) == whole, "cut at every byte")
        for exchange in whole.exchanges {
            guard let body = exchange.body else { continue }
            let again = Array(exchange.head.written(with: body))
            let transcript = again.withUnsafeBufferPointer { Transcript(of: [$0[...]]) }
            precondition(transcript == Transcript(exchanges: [exchange]), "the serialised request differs")
        }
    }
}

/// The result of parsing some bytes.
private struct Transcript: Equatable {
    struct Exchange: Equatable {
        var head: Head
        var body: [UInt8]?
    }

    var exchanges: [Exchange] = []
    var error: RequestError?

    init(exchanges: [Exchange]) {
        self.exchanges = exchanges
    }

    init(of pieces: [Slice<UnsafeBufferPointer<UInt8>>]) {
        // Small limits, so that inputs of one or two kilobytes reach them.
        var limits = ServerConfiguration()
        limits.maxRequestLineBytes = 300
        limits.maxHeaderBytes = 500
        limits.maxHeaderCount = 12
        limits.maxBodyBytes = 400
        var parser = RequestParser(limits: limits)
        var buffer = InputBuffer()
        do {
            for piece in pieces {
                buffer.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: piece)))
                while try take(parser.next(&buffer)) {}
            }
        } catch {
            self.error = error
        }
    }

    /// Records an event; returns false if more bytes are needed.
    private mutating func take(_ event: RequestParser.Event) -> Bool {
        switch event {
        case .incomplete: return false
        case .head(let head): exchanges.append(Exchange(head: Head(head)))
        case .body(let body): exchanges[exchanges.count - 1].body = body
        }
        return true
    }
}

/// The content of a head, and its serialised form.
private struct Head: Equatable {
    let method: HTTPRequest.Method
    let target: String
    let targetAuthority: String?
    let minorVersion: Int
    let headers: HTTPFields
    let framing: BodyFraming
    let isPersistent: Bool
    let expectsContinue: Bool

    init(_ head: RequestHead) {
        method = head.line.method
        target = head.line.target
        targetAuthority = head.line.authority
        minorVersion = head.line.minorVersion
        headers = head.headers
        framing = head.framing
        isPersistent = head.isPersistent
        expectsContinue = head.expectsContinue
    }

    func written(with body: [UInt8]) -> [UInt8] {
        // Only OPTIONS may have the target * (RFC 9112 §3.2.4). In absolute-form, this target becomes an empty path.
        let prefix = targetAuthority.map { "http://\($0)" } ?? ""
        let target = prefix.isEmpty || self.target != "*" ? self.target : ""
        var bytes = Array("\(method.rawValue) \(prefix)\(target) HTTP/1.\(minorVersion)\r\n".utf8)
        for field in headers {
            bytes += Array("\(field.name.rawName):".utf8) + field.withUnsafeBytesOfValue { Array($0) }
            bytes += Array("\r\n".utf8)
        }
        bytes += Array("\r\n".utf8)
        guard framing == .chunked else { return bytes + body }
        let chunk = body.isEmpty ? [] : Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8)
        return bytes + chunk + Array("0\r\n\r\n".utf8)
    }
}
