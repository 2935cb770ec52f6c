import CCurl

/// Owns a multi handle: connections kept between transfers, and cached certificates.
///
/// `curl_easy_perform` does the same internally but cannot be woken: a cancelled transfer would continue for up to a
/// second. Unchecked because ``wake()`` alone may be called from another thread.
final class CurlConnections: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// The longest wait in milliseconds; shorter if ``wake()`` cannot end it because no descriptors were available.
    private let longestWait: Int32

    /// libcurl must be initialised once, before any other call.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init() {
        guard Self.isInitialised, let multi = curl_multi_init() else {
            preconditionFailure("libcurl could not be initialised: out of memory")
        }
        self.multi = multi
        longestWait = curl_multi_wakeup(multi) == CURLM_OK ? 60_000 : 250
        // One connection for an image and one for a redirect to it.
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
        // Removing a transfer in progress closes its connection.
        defer { curl_multi_remove_handle(multi, transfer.easy) }
        var running: Int32 = 0
        while !isCancelled() {
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            guard running > 0 else {
                var left: Int32 = 0
                guard let message = curl_multi_info_read(multi, &left) else { return CURLE_FAILED_INIT }
                return message.pointee.data.result
            }
            // libcurl returns earlier for its own timers, such as time limits, and for `wake`.
            guard curl_multi_poll(multi, nil, 0, longestWait, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        return nil
    }

    /// Makes `perform` check its condition now; the only method that may be called from another thread.
    func wake() {
        curl_multi_wakeup(multi)
    }
}
