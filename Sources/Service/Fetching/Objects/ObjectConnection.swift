import Admission
import CCurl
import Glibc

/// A connection to the S3-compatible service.
///
/// It sends one request at a time and blocks the calling thread.
final class ObjectConnection {
    /// The maximum size of a response, in bytes.
    ///
    /// A page of a list has at most 3 MiB.
    static let maxReplyBytes = 16 << 20
    /// The minimum rate of an upload, in bytes per second.
    ///
    /// The time limit of a request increases by its body size divided by this rate.
    static let minUploadRate = 1 << 20

    private let s3: S3Configuration
    private let configuration: FetchConfiguration
    private let gate = ConnectionGate(policy: .privateAllowed, openSocket: ConnectionGate.systemSocket)
    private let receiver = ResponseReceiver(maxBytes: maxReplyBytes, budget: ByteBudget(limit: 2 * maxReplyBytes))
    private let connections = CurlConnections()

    init(_ s3: S3Configuration, _ configuration: FetchConfiguration) {
        self.s3 = s3
        self.configuration = configuration
        receiver.keepsErrors = true
        receiver.acceptsParts = true
    }

    /// Sends a request.
    ///
    /// `permissions` lists the permissions that it needs; if the service refuses the request, they are logged.
    ///
    /// - Throws: A ``FetchError`` if the status is not 200, 204 or 206, or if there is no response.
    func send(_ request: ObjectRequest, needing permissions: String) throws(FetchError) -> ObjectResponse {
        guard s3.buckets.contains(request.place.bucket) else {
            throw .blocked("\(request.place.bucket) is not an allowed bucket")
        }
        let signed = try s3.signed(request, at: UnixTime(clamping: time(nil)))
        gate.reset(.privateAllowed)
        receiver.reset()
        if let shortage = gate.findShortage() { throw .exhausted(shortage) }
        let transfer = makeTransfer(signed.url, signed.fields, request)
        let code = request.body.withUnsafeBytes { body in
            if request.method == .put || request.method == .post { transfer.send(body) }
            return connections.perform(transfer) { false }
        }
        defer { receiver.reset() }
        if let failure = receiver.failure { throw failure }
        guard let code else { throw .cancelled }
        guard code == CURLE_OK || receiver.hasBodilessResponse else {
            // The operator configured the service, so its name exists, and the name server must have failed.
            throw TransferError.of(code, transfer, gate, receiver) { .nameServerFailed($0) }
        }
        return try response(permissions)
    }

    private func makeTransfer(
        _ url: WebURL,
        _ fields: [(name: String, value: String)],
        _ request: ObjectRequest
    ) -> CurlTransfer {
        var transfer = CurlTransfer()
        transfer.restrictToPlainHTTP()
        transfer.use(configuration.rules.outlet, for: url)
        transfer.set(CURLOPT_USERAGENT, to: configuration.userAgent)
        // Removes `Expect`, which costs a round trip for each large body, and removes libcurl's default `Content-Type`.
        let absent = ["Expect:", "Accept:"] + (request.fields["content-type"] == nil ? ["Content-Type:"] : [])
        transfer.set(CURLOPT_HTTPHEADER, to: fields.map { "\($0.name): \($0.value)" } + absent)
        transfer.set(CURLOPT_CUSTOMREQUEST, to: request.method.rawValue)
        transfer.attach(gate: gate, receiver: receiver)
        transfer.set(CURLOPT_URL, to: url.string)
        let time = configuration.timeout + .seconds(request.body.count / Self.minUploadRate)
        transfer.set(CURLOPT_TIMEOUT_MS, to: time)
        transfer.set(CURLOPT_CONNECTTIMEOUT_MS, to: configuration.connectTimeout)
        return transfer
    }

    private func response(_ permissions: String) throws(FetchError) -> ObjectResponse {
        let (status, header) = (receiver.header.status, receiver.header)
        switch status {
        case 200, 204, 206:
            return ObjectResponse(
                status: status,
                body: receiver.body,
                etag: header[.etag],
                contentRange: header[.contentRange]
            )
        case 408, 425, 429: throw .refused(status: status)
        default: throw S3Refusal.error(receiver, s3, needing: permissions)
        }
    }
}

/// Explains to the operator why the S3 service refused a request and which setting to change.
enum S3Refusal {
    /// Returns the error for a response with an unexpected status.
    ///
    /// `permissions` are the permissions that the request needs.
    static func error(_ receiver: ResponseReceiver, _ s3: S3Configuration, needing permissions: String) -> FetchError {
        let status = receiver.header.status
        return switch status {
        case 404, 410: .notFound(status: status)
        case 300...499: .storeRefused(status: status, reason: reason(receiver, s3, permissions))
        case 500...599: .originError(status: status)
        default: .invalidResponse("status \(status)")
        }
    }

    /// Returns the error for a response of another service with an unexpected status.
    static func error(_ receiver: ResponseReceiver, of scheme: ObjectScheme) -> FetchError {
        let status = receiver.header.status
        switch status {
        case 404, 410: return .notFound(status: status)
        case 300...499:
            let code = S3Text.errorCode(in: receiver.errorText) ?? "no code"
            let advice =
                switch (scheme, status) {
                case (.azure, 401), (.azure, 403):
                    "expected a key, or a shared access signature with the permission to read, of this account"
                case (_, 401), (_, 403): "expected an account with the role Storage Object Viewer"
                default: "the service refuses the request"
                }
            return .storeRefused(status: status, reason: "\(code): \(advice)")
        case 500...599: return .originError(status: status)
        default: return .invalidResponse("status \(status)")
        }
    }

    /// Returns the sentence for the log.
    private static func reason(_ receiver: ResponseReceiver, _ s3: S3Configuration, _ permissions: String) -> String {
        let code = S3Text.errorCode(in: receiver.errorText) ?? "no code"
        if let region = receiver.header[.bucketRegion], S3Configuration.isRegion(region), region != s3.region {
            return "\(code): the bucket is in the region \(region), not in \(s3.region)"
        }
        return switch code {
        case "InvalidAccessKeyId": "\(code): the access key \(s3.credentials.name) does not exist"
        case "SignatureDoesNotMatch": "\(code): the secret does not belong to \(s3.credentials.name)"
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired": "\(code): expected a valid session token"
        case "RequestTimeTooSkewed": "\(code): expected a correct clock on this machine"
        case "AuthorizationHeaderMalformed": "\(code): expected the region of the bucket, not \(s3.region)"
        case "InvalidObjectState": "\(code): expected an object that is not archived"
        case "PermanentRedirect", "TemporaryRedirect", "Redirect":
            "\(code): expected the bucket's own region or endpoint"
        case "AccessDenied": "\(code): expected \(permissions)"
        default: code
        }
    }
}
