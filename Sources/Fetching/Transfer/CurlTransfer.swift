import CCurl

/// Owns an easy handle: one request and its response.
///
/// Created anew for every request. libcurl 7.88 counts over a handle's lifetime how often a kept connection was dead,
/// and fails the sixth such request; with a new handle the request is repeated on a new connection.
struct CurlTransfer: ~Copyable {
    let easy: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() {
        guard let easy = curl_easy_init() else { preconditionFailure("out of memory") }
        self.easy = easy
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, to: UnsafeMutableRawPointer(errorText))
    }

    deinit {
        curl_easy_cleanup(easy)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    // Every option is relevant to security, and its value is a constant or was validated. A libcurl that rejects one
    // must not be used.

    func set(_ option: CURLoption, to value: Int) {
        check(hr_curl_set_long(easy, option, value))
    }

    func set(_ option: CURLoption, to value: String) {
        check(hr_curl_set_string(easy, option, value))
    }

    func set(_ option: CURLoption, to value: UnsafeMutableRawPointer) {
        check(hr_curl_set_pointer(easy, option, value))
    }

    /// Sets an option whose list libcurl does not copy; the transfer keeps it alive.
    mutating func set(_ option: CURLoption, to values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = curl_slist_append(list, value) else { preconditionFailure("out of memory") }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        check(hr_curl_set_list(easy, option, list))
    }

    /// Sends a body, which must live as long as the transfer.
    func send(_ body: UnsafeRawBufferPointer) {
        check(hr_curl_set_body(easy, body.baseAddress, body.count))
    }

    func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl rejects an option: \(String(cString: curl_easy_strerror(code)))")
    }

    /// libcurl's error message, for a log.
    func message(for code: CURLcode) -> String {
        errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    }

    /// Whether the transfer reached this `CURLINFO_…_TIME_T`.
    func hasReached(_ stage: CURLINFO) -> Bool {
        hr_curl_time(easy, stage) > 0
    }
}
