import CCurl

/// Owns a multi handle: the connections that are kept from one transfer to the next, and the certificates.
///
/// `curl_easy_perform` does the same inside, but cannot be woken: a cancelled transfer would go on for up to a second.
struct CurlConnections: ~Copyable {
    private let multi: UnsafeMutableRawPointer

    /// libcurl asks to be initialised once, before anything else.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init() {
        guard Self.isInitialised, let multi = curl_multi_init() else {
            preconditionFailure("libcurl could not be initialised: out of memory")
        }
        self.multi = multi
        // Enough for an image and the redirect that led to it.
        let code = hr_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2)
        precondition(code == CURLM_OK, "libcurl rejects an option: \(String(cString: curl_multi_strerror(code)))")
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    /// Runs the transfer until it ends or `isCancelled` holds; blocks.
    ///
    /// - Returns: libcurl's result, or nil after a cancellation.
    func perform(_ transfer: borrowing CurlTransfer, until isCancelled: () -> Bool) -> CURLcode? {
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        // Removing a transfer that has not ended closes its connection.
        defer { curl_multi_remove_handle(multi, transfer.easy) }
        var running: Int32 = 0
        while !isCancelled() {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            guard running > 0 else {
                var left: Int32 = 0
                guard let message = curl_multi_info_read(multi, &left) else { return CURLE_FAILED_INIT }
                return message.pointee.data.result
            }
            // libcurl returns earlier for its own timers, among them the time limits, and for `wake`.
            guard curl_multi_poll(multi, nil, 0, 60_000, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        return nil
    }

    /// Lets `perform` look at its condition now; the one call that another thread may make.
    func wake() {
        curl_multi_wakeup(multi)
    }
}
