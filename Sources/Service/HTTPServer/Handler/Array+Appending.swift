import HTTPTypes

extension [UInt8] {
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    mutating func append(decimal number: Int) { append(String(number)) }

    mutating func append(_ field: HTTPField) {
        append(field.name.rawName)
        append(": ")
        // HTTPField guarantees that names and values contain neither CR nor LF.
        field.withUnsafeBytesOfValue { append(contentsOf: $0) }
        append("\r\n")
    }

    mutating func append(statusLine status: HTTPResponse.Status) {
        // The server sends its own version, even to HTTP/1.0 clients (RFC 9110 §6.2).
        append("HTTP/1.1 ")
        append(decimal: status.code)
        append(.space)
        append(status.reasonPhrase)
        append("\r\n")
    }
}
