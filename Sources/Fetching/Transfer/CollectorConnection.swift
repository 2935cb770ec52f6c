import Admission
import CCurl

/// Posts to an address of the operator, such as that of a collector of traces; one request at a time, which blocks the
/// caller's thread.
///
/// Unchecked because a lock admits one caller at a time.
package final class CollectorConnection: @unchecked Sendable {
    /// The longest response in bytes.
    private static let maxAnswerBytes = 1 << 16

    /// A status and a body, or why there is none.
    package enum Answer: Sendable {
        case status(Int, body: [UInt8])
        case failed(String)
    }

    private let userAgent: String
    private let url: WebURL
    private let gate = ConnectionGate(policy: .privateAllowed, openSocket: ConnectionGate.systemSocket)
    private let receiver = ResponseReceiver(
        maxBytes: maxAnswerBytes,
        budget: ByteBudget(limit: 1 << 20)
    )
    private let connections = CurlConnections()

    /// A connection that is opened for the first request.
    ///
    /// - Parameters:
    ///   - url: An http or https address, which may be private.
    ///   - userAgent: Name and version of the program.
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ url: String, userAgent: String) throws(FetchError) {
        guard case .web(let url) = try SourceURL(url) else { throw .invalidURL("an http or https address is needed") }
        self.url = url
        self.userAgent = userAgent
        receiver.keepsErrors = true
    }

    /// Posts a body; redirects are not followed.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - headers: Header fields, the type of the body among them.
    ///   - timeout: The time limit of the whole request.
    /// - Returns: The response, with at most 64 KiB of its body.
    package func post(_ body: [UInt8], headers: [(name: String, value: String)], timeout: Duration) -> Answer {
        gate.reset(.privateAllowed)
        receiver.reset()
        if let shortage = gate.findShortage() { return .failed("\(shortage)") }
        var transfer = CurlTransfer()
        transfer.restrictToPlainHTTP()
        transfer.set(CURLOPT_USERAGENT, to: userAgent)
        // Without `Expect`, which would cost a round trip for each large body.
        transfer.set(CURLOPT_HTTPHEADER, to: headers.map { "\($0.name): \($0.value)" } + ["Expect:", "Accept:"])
        transfer.set(CURLOPT_CUSTOMREQUEST, to: "POST")
        transfer.attach(gate: gate, receiver: receiver)
        transfer.set(CURLOPT_URL, to: url.string)
        transfer.set(CURLOPT_TIMEOUT_MS, to: max(1, Int(timeout / .milliseconds(1))))
        let code = body.withUnsafeBytes { body in
            transfer.send(body)
            return connections.perform(transfer) { false }
        }
        defer { receiver.reset() }
        guard code == CURLE_OK || receiver.hasBodilessAnswer, receiver.failure == nil else {
            let failure = receiver.failure.map { "\($0)" }
            return .failed(failure ?? code.map { transfer.message(for: $0) } ?? "cancelled")
        }
        return .status(receiver.header.status, body: receiver.body)
    }
}
