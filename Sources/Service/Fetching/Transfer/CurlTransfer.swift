import CCurl
import TotalFunctions
import UntrustedText

/// Owns a libcurl easy handle for one request and its response.
///
/// Every request needs a new handle. libcurl 7.88 counts the dead persistent connections during the lifetime of a
/// handle, and fails the sixth request that finds a dead connection. With a new handle, libcurl repeats the request on
/// a new connection.
struct CurlTransfer: ~Copyable {
    let easy: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// The reason why libcurl rejected an option of this transfer; `CURLE_OK` if it accepted all options.
    let rejection = UnsafeMutablePointer<CURLcode>.allocate(capacity: 1)
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() {
        // bounded: does not depend on input
        guard let easy = curl_easy_init() else { preconditionFailure("out of memory") }
        self.easy = easy
        rejection.initialize(to: CURLE_OK)
        // bounded: a constant
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, to: UnsafeMutableRawPointer(errorText))
    }

    deinit {
        curl_easy_cleanup(easy)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
        rejection.deallocate()
    }

    // Every option is relevant to security, so a transfer is not performed if libcurl rejected an option.

    func set(_ option: CURLoption, to value: Int) { check(hr_curl_set_long(easy, option, value)) }

    func set(_ option: CURLoption, to value: String) { check(hr_curl_set_string(easy, option, value)) }

    func set(_ option: CURLoption, to value: UnsafeMutableRawPointer) {
        check(hr_curl_set_pointer(easy, option, value))
    }

    /// Sets an option to the content of a file.
    func set(_ option: CURLoption, to bytes: [UInt8]) {
        check(bytes.withUnsafeBytes { hr_curl_set_blob(easy, option, $0.baseAddress, $0.count) })
    }

    /// Sets a time limit in milliseconds.
    ///
    /// The minimum is 1, because libcurl treats 0 as no limit.
    func set(_ option: CURLoption, to time: Duration) {
        set(option, to: max(1, Int(clamping: time / .milliseconds(1))))
    }

    /// Sets an option to a list.
    ///
    /// libcurl does not copy the list, so the transfer retains it.
    mutating func set(_ option: CURLoption, to values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = curl_slist_append(list, value) else {
                check(CURLE_OUT_OF_MEMORY)
                break
            }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        check(hr_curl_set_list(easy, option, list))
    }

    /// Sets the body of the request.
    ///
    /// The body must outlive the transfer.
    func send(_ body: UnsafeRawBufferPointer) { check(hr_curl_set_body(easy, body.baseAddress, body.count)) }

    /// Records the result of setting an option.
    func check(_ code: CURLcode) {
        if code != CURLE_OK { rejection.pointee = code }
    }

    /// Returns libcurl's error message, for a log.
    func message(for code: CURLcode) -> String {
        // bounded: an array of a fixed size
        errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    }

    /// Whether the transfer reached the stage of a `CURLINFO_…_TIME_T`.
    func hasReached(_ stage: CURLINFO) -> Bool { hr_curl_time(easy, stage) > 0 }
}

extension CurlTransfer {
    /// Restricts libcurl to HTTP/1.1, with or without TLS, and to direct connections to the host of the URL.
    func restrictToPlainHTTP() {
        set(CURLOPT_PROTOCOLS_STR, to: "http,https")
        set(CURLOPT_FOLLOWLOCATION, to: 0)
        // A proxy from the environment would resolve names itself and bypass the gate. See `use(_:for:)` for a
        // configured proxy.
        set(CURLOPT_PROXY, to: "")
        set(CURLOPT_NOPROXY, to: "*")
        set(CURLOPT_NETRC, to: Int(CURL_NETRC_IGNORED.rawValue))
        // HTTP/2 has no advantage for one image at a time, and would expose its parser to untrusted origins.
        set(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
        // Timeouts by signal require a single thread. Debian's libcurl resolves names on separate threads (feature
        // AsynchDNS), so the time limits include name resolution.
        set(CURLOPT_NOSIGNAL, to: 1)
        // Without this option, libcurl waits for a timed-out lookup. The lookup's thread ends with the C library's own
        // timeout (`options timeout` in resolv.conf), so at most slots × C library timeout ÷ connect timeout of these
        // threads exist.
        set(CURLOPT_QUICK_EXIT, to: 1)
        // With the default of 16 KiB, libcurl needs ninety reads for an image of 1.5 MB.
        set(CURLOPT_BUFFERSIZE, to: 1 << 17)
        // The address of a persistent connection was checked when the connection was opened, so old connections are
        // closed.
        set(CURLOPT_MAXAGE_CONN, to: 30)
        set(CURLOPT_MAXLIFETIME_CONN, to: 120)
        // If libcurl has a folder of certificates, it caches none, and each connection takes 25 ms to read them.
        if hr_curl_has_authority_file(easy) {
            check(hr_curl_set_string(easy, CURLOPT_CAPATH, nil))
            check(hr_curl_set_string(easy, CURLOPT_PROXY_CAPATH, nil))
        }
    }

    mutating func describeRequest(
        _ configuration: FetchConfiguration,
        _ conditions: FetchConditions?,
        traceParent: String?,
        cookie: String? = nil,
        hostFields: [String] = [],
        signature: [(name: String, value: String)] = []
    ) {
        set(CURLOPT_USERAGENT, to: configuration.userAgent)
        // No coding is requested, and libcurl does not decode any coding: see ContentDecoder.
        let fields = ["Accept: \(configuration.accept)", "Accept-Encoding:", "Via: 1.1 \(ImageFetcher.viaPseudonym)"]
        let others =
            (conditions?.fields ?? []) + (traceParent.map { ["traceparent: \($0)"] } ?? [])
            + (cookie.map { ["Cookie: \($0)"] } ?? []) + hostFields
        set(CURLOPT_HTTPHEADER, to: fields + others + signature.map { "\($0.name): \($0.value)" })
    }

    /// Resolves the given names without DNS.
    mutating func pin(_ hosts: [PinnedHost]) {
        let entries = hosts.map { pinned in
            let addresses = pinned.addresses.map { if case .v6 = $0 { "[\($0)]" } else { "\($0)" } }
            return "\(pinned.host):\(pinned.port):\(addresses.joined(separator: ","))"
        }
        set(CURLOPT_RESOLVE, to: entries)
    }

    /// Makes libcurl use the gate for every connection and the receiver for every part of a response.
    ///
    /// Both must outlive the transfer, which does not retain them.
    func attach(gate: ConnectionGate, receiver: ResponseReceiver) {
        set(CURLOPT_OPENSOCKETDATA, to: Unmanaged.passUnretained(gate).toOpaque())
        check(
            hr_curl_on_open_socket(easy) { context, _, target in
                guard let context, let target else { return CURL_SOCKET_BAD }
                return Unmanaged<ConnectionGate>.fromOpaque(context).takeUnretainedValue().open(target)
            }
        )
        let receiver = Unmanaged.passUnretained(receiver).toOpaque()
        set(CURLOPT_HEADERDATA, to: receiver)
        check(
            hr_curl_on_header(easy) { bytes, size, count, context in
                pass(bytes, size * count, to: context) { $0.receiveHeader($1) }
            }
        )
        set(CURLOPT_WRITEDATA, to: receiver)
        check(
            hr_curl_on_body(easy) { bytes, size, count, context in
                pass(bytes, size * count, to: context) { $0.receiveBody($1) }
            }
        )
    }
}

/// Passes bytes to the receiver.
///
/// Returns their number, or 0 to end the transfer.
private func pass(
    _ start: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    to context: UnsafeMutableRawPointer?,
    _ receive: (ResponseReceiver, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context else { return 0 }
    let receiver = Unmanaged<ResponseReceiver>.fromOpaque(context).takeUnretainedValue()
    return receive(receiver, UnsafeRawBufferPointer(start: start, count: count)) ? count : 0
}

/// Conversion of libcurl's results to errors.
enum TransferError {
    /// Returns the error for libcurl's result.
    ///
    /// `unresolved` converts libcurl's message for a name that could not be resolved.
    static func of(
        _ code: CURLcode,
        _ transfer: borrowing CurlTransfer,
        _ gate: ConnectionGate,
        _ receiver: ResponseReceiver,
        unresolved: (String) -> FetchError
    ) -> FetchError {
        let message = transfer.message(for: code)
        let status = hr_curl_connect_status(transfer.easy)
        if status >= 300 { return .unreachable("the proxy responded with \(status)") }
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: .timeout(stage(of: transfer, receiver))
        case CURLE_COULDNT_CONNECT where !gate.hasOpened && !gate.refusals.isEmpty:
            .blocked(FetchRefusal(gate.refusals.joined(separator: "; "), gate.cause))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .invalidResponse(message)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR: .incomplete(message)
        case CURLE_COULDNT_RESOLVE_HOST: gate.findShortage().map(FetchError.exhausted) ?? unresolved(message)
        default: gate.findShortage().map(FetchError.exhausted) ?? .unreachable(message, obstacle(code, message))
        }
    }

    private static func obstacle(_ code: CURLcode, _ message: String) -> FetchError.Obstacle {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: .certificate
        // OpenSSL's text for a first record with an unknown version, such as the text of an HTTP response.
        case CURLE_SSL_CONNECT_ERROR: message.bytes.contains("wrong version number") ? .plainServer : .handshake
        default: .connection
        }
    }

    private static func stage(of transfer: borrowing CurlTransfer, _ receiver: ResponseReceiver) -> FetchError.Stage {
        if receiver.header.isComplete { return .body }
        if transfer.hasReached(CURLINFO_PRETRANSFER_TIME_T) { return .header }
        return transfer.hasReached(CURLINFO_NAMELOOKUP_TIME_T) ? .connection : .resolution
    }
}
