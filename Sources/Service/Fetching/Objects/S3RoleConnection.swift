import UntrustedText
import Admission
import CCurl
import Encodings
import Glibc

/// Gets the temporary credentials of a role over separate connections, which image sources cannot use.
///
/// It may contact link-local addresses, where container agents and the metadata service of EC2 listen.
package struct S3RoleConnection: Sendable {
    /// The maximum length of a response and of a token, in bytes.
    private static let maxReplyBytes = 1 << 16
    /// The time limit of each request; the metadata service is on the same host or network.
    private static let timeout = Duration.seconds(5), connectTimeout = Duration.seconds(2)
    /// The lifetime of a session with the metadata service, in seconds; a session is used immediately.
    private static let sessionSeconds = 300

    private let source: S3RoleSource
    private let outlet: FetchOutlet
    private let userAgent: String

    /// Creates a role that gets its credentials from a source.
    ///
    /// Requests to STS use the network route `outlet`.
    package static func role(_ source: S3RoleSource, _ outlet: FetchOutlet, userAgent: String) -> S3Role {
        let connection = S3RoleConnection(source: source, outlet: outlet, userAgent: userAgent)
        return S3Role(source.name) { Result { () throws(FetchError) in try connection.lease() } }
    }

    private func lease() throws(FetchError) -> S3Role.Lease {
        let response: [UInt8]
        switch source {
        case .webIdentity(let file, let role, let session, let endpoint):
            let token = try token(in: file)
            let values = [
                ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
                ("RoleSessionName", session), ("WebIdentityToken", token),
            ]
            let body = values.map { "\($0)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
            let fields = ["Content-Type: application/x-www-form-urlencoded"]
            response = try send("POST", endpoint, fields, body: Array(body.utf8), outlet)
            guard let lease = S3RoleResponse.lease(xml: response) else { throw unreadable }
            return lease
        case .container(let url, let token, let file):
            var authorization = token
            if let file { authorization = try self.token(in: file) }
            response = try send("GET", url, authorization.map { ["Authorization: \($0)"] } ?? [], FetchOutlet())
        case .google(let account):
            let now = UnixTime(clamping: time(nil))
            guard let body = account.body(at: now) else { throw .invalidResponse("\(source.name) cannot sign") }
            let fields = ["Content-Type: application/x-www-form-urlencoded"]
            response = try send("POST", account.tokenURL, fields, body: body, outlet)
            guard let lease = S3RoleResponse.lease(token: response, of: account, at: now) else { throw unreadable }
            return lease
        case .instance(let base):
            let ttl = "X-aws-ec2-metadata-token-ttl-seconds: \(Self.sessionSeconds)"
            let session = try line(of: try send("PUT", try url(base, "/latest/api/token"), [ttl], FetchOutlet()))
            let fields = ["X-aws-ec2-metadata-token: \(session)"]
            let folder = "/latest/meta-data/iam/security-credentials/"
            let role = try line(of: try send("GET", try url(base, folder), fields, FetchOutlet()))
            let address = try url(base, folder + PercentEncoding.encoded(role))
            response = try send("GET", address, fields, FetchOutlet())
        }
        guard let lease = S3RoleResponse.lease(json: response) else { throw unreadable }
        return lease
    }

    private var unreadable: FetchError { .invalidResponse("no credentials in the response for \(source.name)") }

    private func url(_ base: WebURL, _ path: String) throws(FetchError) -> WebURL {
        try WebURL((base.string.bytes.hasSuffix("/") ? String(base.string.dropLast()) : base.string) + path)
    }

    private func token(in file: String) throws(FetchError) -> String {
        guard let bytes = try? RegularFile.bytes(of: file, atMost: Self.maxReplyBytes) else {
            throw .invalidResponse("the token file \(file) cannot be read")
        }
        return try line(of: bytes)
    }

    /// Returns the first line of a response or a file, which must be visible ASCII for a header field.
    private func line(of bytes: [UInt8]) throws(FetchError) -> String {
        let line = bytes.drop { $0 <= 0x20 }.prefix { $0 >= 0x20 }
        guard !line.isEmpty, line.allSatisfy({ 0x20...0x7E ~= $0 }) else { throw unreadable }
        return String(decoding: line, as: UTF8.self)
    }

    /// Sends a request and returns the body of a 200 response; blocks.
    private func send(
        _ method: String,
        _ url: WebURL,
        _ fields: [String],
        body: [UInt8] = [],
        _ outlet: FetchOutlet
    ) throws(FetchError) -> [UInt8] {
        let gate = ConnectionGate(policy: AddressPolicy(refusing: []), openSocket: ConnectionGate.systemSocket)
        let budget = ByteBudget(limit: 2 * BoundedBytes.firstRoom)
        let receiver = ResponseReceiver(maxBytes: Self.maxReplyBytes, budget: budget)
        let connections = CurlConnections()
        var transfer = CurlTransfer()
        transfer.restrictToPlainHTTP()
        transfer.use(outlet, for: url)
        transfer.set(CURLOPT_USERAGENT, to: userAgent)
        transfer.set(CURLOPT_HTTPHEADER, to: fields + ["Expect:", "Accept:"])
        transfer.set(CURLOPT_CUSTOMREQUEST, to: method)
        transfer.attach(gate: gate, receiver: receiver)
        transfer.set(CURLOPT_URL, to: url.string)
        transfer.set(CURLOPT_TIMEOUT_MS, to: Self.timeout)
        transfer.set(CURLOPT_CONNECTTIMEOUT_MS, to: Self.connectTimeout)
        receiver.keepsErrors = true
        let code = body.withUnsafeBytes { body in
            if !body.isEmpty { transfer.send(body) }
            return connections.perform(transfer) { false }
        }
        // Converted, because a response that is too large would otherwise be reported as an image that is too large.
        if let failure = receiver.failure { throw .invalidResponse("\(source.name): \(failure)") }
        guard let code, code == CURLE_OK || receiver.hasBodilessResponse else {
            let reason = code.map { transfer.message(for: $0) } ?? "cancelled"
            throw .unreachable("\(source.name): \(reason)")
        }
        guard receiver.header.status == 200 else {
            let error = S3Text.errorCode(in: receiver.errorText).map { ", \($0)" } ?? ""
            throw .invalidResponse("\(source.name): status \(receiver.header.status)\(error)")
        }
        return receiver.body
    }
}
