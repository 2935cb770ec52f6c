import CCurl
import Glibc

/// Owns an easy handle in a multi handle of its own, which keeps the connections between transfers.
///
/// `curl_easy_perform` does the same inside, but cannot be woken: a cancelled transfer would go on for up to a second.
struct CurlHandle: ~Copyable {
    let easy: UnsafeMutableRawPointer
    let multi: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// libcurl asks to be initialised once, before anything else.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init() {
        guard Self.isInitialised, let easy = curl_easy_init(), let multi = curl_multi_init() else {
            preconditionFailure("libcurl could not be initialised: out of memory")
        }
        self.easy = easy
        self.multi = multi
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, to: UnsafeMutableRawPointer(errorText))
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        for list in lists { curl_slist_free_all(list) }
        errorText.deallocate()
    }

    // Options are constants of this program and every one of them matters to its safety, so a libcurl that rejects one
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

    /// Sets an option whose list libcurl does not copy; it lives as long as the handle.
    mutating func set(_ option: CURLoption, to values: [String]) {
        guard !values.isEmpty else { return }
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = curl_slist_append(list, value) else { preconditionFailure("out of memory") }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        check(hr_curl_set_list(easy, option, list))
    }

    func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl rejects an option: \(String(cString: curl_easy_strerror(code)))")
    }

    /// Runs the transfer that the options describe until it ends or `isCancelled` holds; blocks.
    ///
    /// `isCancelled` is looked at whenever something happens, which includes `curl_multi_wakeup`.
    ///
    /// - Returns: libcurl's result, or nil after a cancellation.
    func perform(until isCancelled: () -> Bool) -> CURLcode? {
        errorText[0] = 0
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        // Removing a transfer that has not ended closes its connection.
        defer { curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 0
        while !isCancelled() {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            guard running > 0 else {
                var left: Int32 = 0
                guard let message = curl_multi_info_read(multi, &left) else { return CURLE_FAILED_INIT }
                return message.pointee.data.result
            }
            // libcurl returns earlier for its own timeouts, so this bounds nothing but idle waiting.
            guard curl_multi_poll(multi, nil, 0, 1000, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        return nil
    }

    /// libcurl's words for the last failure, for a log.
    func message(for code: CURLcode) -> String {
        errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    }

    /// Whether the running or last transfer got as far as this `CURLINFO_…_TIME_T`.
    func hasReached(_ stage: CURLINFO) -> Bool {
        hr_curl_time(easy, stage) > 0
    }
}
