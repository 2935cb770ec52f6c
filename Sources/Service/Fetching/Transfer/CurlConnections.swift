import Admission
import CCurl

/// Owns a libcurl multi handle with its persistent connections and cached certificates.
///
/// `curl_easy_perform` does the same internally but cannot be woken, so a cancelled transfer would continue for up to a
/// second. Unchecked because other threads may call only ``wake()``.
final class CurlConnections: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    /// The maximum wait in milliseconds.
    ///
    /// It is shorter if ``wake()`` cannot end the wait because descriptors were not available.
    private let maxWait: Int32

    /// libcurl must be initialised once, before any other call.
    private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init() {
        guard Self.isInitialised, let multi = curl_multi_init() else {
            // bounded: does not depend on input
            preconditionFailure("libcurl could not be initialised: out of memory")
        }
        self.multi = multi
        maxWait = curl_multi_wakeup(multi) == CURLM_OK ? 60_000 : 250
        // One connection for an image, and one for a URL that redirects to it.
        let code = hr_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2)
        // bounded: constants
        precondition(code == CURLM_OK, "libcurl rejects an option: \(String(cString: curl_multi_strerror(code)))")
    }

    deinit { curl_multi_cleanup(multi) }

    /// Runs the transfer until it ends or `isCancelled` returns true; blocks.
    ///
    /// - Returns: libcurl's result, or nil after a cancellation.
    func perform(_ transfer: borrowing CurlTransfer, until isCancelled: () -> Bool) -> CURLcode? {
        guard transfer.rejection.pointee == CURLE_OK else { return transfer.rejection.pointee }
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        // Removing a transfer that is in progress closes its connection.
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
            guard curl_multi_poll(multi, nil, 0, maxWait, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        return nil
    }

    /// Makes `perform` check its condition now.
    ///
    /// Other threads may call only this method.
    func wake() { curl_multi_wakeup(multi) }
}

/// Sends POST requests to a URL that the operator configured, such as a trace collector.
///
/// It sends one request at a time and blocks the calling thread.
///
/// Unchecked because a lock admits only one caller at a time.
package final class CollectorConnection: @unchecked Sendable {
    /// The maximum size of a response, in bytes.
    private static let maxReplyBytes = 1 << 16

    /// The status and the body, or the reason why there is no response.
    package enum Response: Sendable {
        case status(Int, body: [UInt8])
        case failed(String)
    }

    private let userAgent: String
    private let url: WebURL
    private let gate = ConnectionGate(policy: .privateAllowed, openSocket: ConnectionGate.systemSocket)
    private let receiver = ResponseReceiver(maxBytes: maxReplyBytes, budget: ByteBudget(limit: 1 << 20))
    private let connections = CurlConnections()

    /// Creates a connection to an http or https URL, which may have a private address.
    ///
    /// The first request opens the connection.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ url: String, userAgent: String) throws(FetchError) {
        guard case .web(let url) = try SourceURL(url) else { throw .invalidURL("an http or https URL is required") }
        self.url = url
        self.userAgent = userAgent
        receiver.keepsErrors = true
    }

    /// Sends a body with POST.
    ///
    /// Redirects are not followed.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - headers: Header fields, including the type of the body.
    ///   - timeout: The time limit of the whole request.
    /// - Returns: The response, with at most 64 KiB of its body.
    package func post(_ body: [UInt8], headers: [(name: String, value: String)], timeout: Duration) -> Response {
        gate.reset(.privateAllowed)
        receiver.reset()
        if let shortage = gate.findShortage() { return .failed("\(shortage)") }
        var transfer = CurlTransfer()
        transfer.restrictToPlainHTTP()
        transfer.set(CURLOPT_USERAGENT, to: userAgent)
        // Removes `Expect`, which costs a round trip for each large body.
        transfer.set(CURLOPT_HTTPHEADER, to: headers.map { "\($0.name): \($0.value)" } + ["Expect:", "Accept:"])
        transfer.set(CURLOPT_CUSTOMREQUEST, to: "POST")
        transfer.attach(gate: gate, receiver: receiver)
        transfer.set(CURLOPT_URL, to: url.string)
        transfer.set(CURLOPT_TIMEOUT_MS, to: timeout)
        let code = body.withUnsafeBytes { body in
            transfer.send(body)
            return connections.perform(transfer) { false }
        }
        defer { receiver.reset() }
        guard code == CURLE_OK || receiver.hasBodilessResponse, receiver.failure == nil else {
            let failure = receiver.failure.map { "\($0)" }
            return .failed(failure ?? code.map { transfer.message(for: $0) } ?? "cancelled")
        }
        return .status(receiver.header.status, body: receiver.body)
    }
}
