import HTTPTypes

/// The reasons why the server rejects a request, one case per rule.
///
/// The connection is closed after each error, because the server does not know where the rejected request ends (RFC
/// 9112 §9.6 and §11.2).
enum RequestError: Error, Hashable {
    // Lines (RFC 9112 §2.2)
    case bareLineFeed, emptyLineBeforeRequest

    // Request line (RFC 9112 §3)
    case requestLineTooLong(limit: Int)
    case invalidMethod, invalidRequestLine, invalidTarget, connectMethod, invalidVersion, unsupportedVersion

    // Field lines (RFC 9112 §5, RFC 9110 §5.5)
    case headerTooLarge(limit: Int)
    case tooManyFields(limit: Int)
    case foldedLine, invalidFieldName, whitespaceBeforeColon, invalidFieldValue

    // Host (RFC 9112 §3.2)
    case missingHost, repeatedHost, invalidHost

    // Body framing (RFC 9112 §6)
    case invalidContentLength, repeatedContentLength, contentLengthWithTransferEncoding, transferEncodingInOldVersion
    case invalidTransferEncoding, chunkedNotLast, repeatedChunked, unknownTransferCoding
    case bodyTooLarge(limit: Int)

    // Chunked coding (RFC 9112 §7.1)
    case invalidChunkSize, invalidChunkExtension, chunkExtensionsTooLong, chunkDataUnterminated

    // Exchange of messages
    case unknownExpectation, incomplete, headerTimeout, bodyTimeout
    case tooManyBodyBytes, tooManyBodyBytesOfClient
    case responseTooLarge(limit: Int)
    case tooManyConnections
    case tooManyConnectionsOfAddress(limit: Int)

    var status: HTTPResponse.Status {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .headerTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge
        case .connectMethod, .unknownTransferCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        case .bodyTooLarge: .contentTooLarge
        case .unknownExpectation: .expectationFailed
        case .headerTimeout, .bodyTimeout: .requestTimeout
        case .tooManyBodyBytes, .tooManyBodyBytesOfClient, .tooManyConnections, .tooManyConnectionsOfAddress:
            .serviceUnavailable
        // A retry would produce the same response.
        case .responseTooLarge: .unprocessableContent
        default: .badRequest
        }
    }

    /// A sentence for the client.
    var detail: String {
        switch self {
        case .bareLineFeed: "A line ends in LF without CR."
        case .emptyLineBeforeRequest: "More than one empty line precedes the request line."
        case .requestLineTooLong(let limit): "The request line is longer than \(limit) bytes."
        case .invalidMethod: "The method is not a token."
        case .invalidRequestLine:
            "The request line is not a method, a target and a version, separated by single spaces."
        case .invalidTarget: "The request target is not an absolute path or an http URL of printable ASCII characters."
        case .connectMethod: "This server is not a proxy and does not implement CONNECT."
        case .invalidVersion: "The request line does not end in an HTTP version."
        case .unsupportedVersion: "This server supports HTTP/1.1 and HTTP/1.0."
        case .headerTooLarge(let limit): "The header section is larger than \(limit) bytes."
        case .tooManyFields(let limit): "The request has more than \(limit) header fields."
        case .foldedLine: "A header line begins with whitespace."
        case .invalidFieldName: "A header line does not begin with a field name and a colon."
        case .whitespaceBeforeColon: "A header line has whitespace before its colon."
        case .invalidFieldValue: "A header field's value contains a control character."
        case .missingHost: "The request has no Host field."
        case .repeatedHost: "The request has more than one Host field."
        case .invalidHost: "The Host field is not a host with an optional port."
        case .invalidContentLength: "Content-Length is not one decimal number."
        case .repeatedContentLength: "The request has more than one Content-Length field."
        case .contentLengthWithTransferEncoding: "The request has both Content-Length and Transfer-Encoding."
        case .transferEncodingInOldVersion: "Transfer-Encoding is not allowed in HTTP/1.0."
        case .invalidTransferEncoding: "Transfer-Encoding is not a list of transfer codings."
        case .chunkedNotLast: "The chunked transfer coding is not the last one."
        case .repeatedChunked: "The chunked transfer coding is applied more than once."
        case .unknownTransferCoding: "This server supports no transfer coding except chunked."
        case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .invalidChunkSize: "A chunk size is not a hexadecimal number."
        case .invalidChunkExtension: "A chunk extension is not a name with an optional value."
        case .chunkExtensionsTooLong: "The chunk extensions are too long."
        case .chunkDataUnterminated: "A chunk's data is not followed by CRLF."
        case .unknownExpectation: "The only supported expectation is 100-continue."
        case .incomplete: "The connection ended before the request did."
        case .headerTimeout: "The header section took too long to arrive."
        case .bodyTimeout: "The body took too long to arrive."
        case .tooManyBodyBytes: "The memory limit for uploads is reached; retry later."
        case .tooManyBodyBytesOfClient: "You have too many uploads in progress; retry later."
        case .responseTooLarge(let limit): "The response is larger than \(limit) bytes."
        case .tooManyConnections: "The server has too many connections."
        case .tooManyConnectionsOfAddress(let limit): "Your address has more than \(limit) connections open."
        }
    }
}
