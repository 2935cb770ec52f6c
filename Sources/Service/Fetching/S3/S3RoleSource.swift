import CCurl
import UntrustedText
import Encodings
import Glibc

/// The source of an AWS role's temporary credentials.
///
/// The operator configures its URLs, which are not image sources.
package enum S3RoleSource: Hashable, Sendable {
    /// A Kubernetes service account (IRSA): its token file, the role, a session name, and the URL of STS.
    case webIdentity(tokenFile: String, role: String, session: String, endpoint: WebURL)
    /// An ECS task or EKS pod: the URL of its agent, and the value of `Authorization` or the file that contains this
    /// value.
    case container(WebURL, token: String?, tokenFile: String?)
    /// An EC2 instance: the URL of its metadata service, version 2.
    case instance(WebURL)
    /// A Google Cloud service account.
    ///
    /// The access token is stored as the session token of the credentials.
    case google(GoogleAccount)

    /// The identity of the source, without secrets.
    package var name: String {
        switch self {
        case .webIdentity(let file, let role, let session, let endpoint):
            "the role \(role) with the token \(file) as \(session) at \(endpoint)"
        case .container(let url, _, _): "the container at \(url)"
        case .instance(let url): "the instance at \(url)"
        case .google(let account): "the service account \(account.email) with the key \(account.keyID)"
        }
    }

    /// Reads the source from the AWS environment variables.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - region: The region of the buckets, for the URL of STS.
    ///   - usesInstance: Whether to use the metadata service of EC2 if the variables do not describe a source.
    /// - Returns: Nil without a source.
    /// - Throws: ``FetchError/invalidURL(_:)`` with a sentence that names an invalid variable.
    package static func named(
        _ environment: [String: String],
        region: String,
        usesInstance: Bool
    ) throws(FetchError) -> S3RoleSource? {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func url(_ text: String, _ name: String) throws(FetchError) -> WebURL {
            guard let url = try? WebURL(text) else {
                throw .invalidURL("\(name) is not valid: expected an http or https URL.")
            }
            return url
        }
        let tokenName = "AWS_WEB_IDENTITY_TOKEN_FILE"
        if let file = variable(tokenName) {
            guard let role = variable("AWS_ROLE_ARN"), isText(role) else {
                throw .invalidURL("\(tokenName) requires AWS_ROLE_ARN, the name of the role.")
            }
            let session = variable("AWS_ROLE_SESSION_NAME") ?? "headroom"
            guard isText(session) else {
                throw .invalidURL("AWS_ROLE_SESSION_NAME is not valid: expected visible ASCII.")
            }
            let usual = "https://sts.\(region).amazonaws.com" + (region.bytes.hasPrefix("cn-") ? ".cn" : "")
            let endpoint = try url(variable("AWS_ENDPOINT_URL_STS") ?? usual, "AWS_ENDPOINT_URL_STS")
            return .webIdentity(tokenFile: file, role: role, session: session, endpoint: endpoint)
        }
        let relative = variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").map { "http://169.254.170.2\($0)" }
        if let text = relative ?? variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            let name = "AWS_CONTAINER_CREDENTIALS_" + (relative == nil ? "FULL_URI" : "RELATIVE_URI")
            let address = try url(text, name)
            guard address.scheme == "https" || isAgent(address.host) else {
                throw .invalidURL("\(name) is not valid: expected an https URL, or the URL of a container agent.")
            }
            let token = variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
            guard token.map({ isText($0.bytes.withoutSpaces()) }) ?? true else {
                throw .invalidURL("AWS_CONTAINER_AUTHORIZATION_TOKEN is not valid: expected visible ASCII.")
            }
            return .container(address, token: token, tokenFile: variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
        }
        let metadata = variable("AWS_EC2_METADATA_SERVICE_ENDPOINT")
        guard usesInstance || metadata != nil else { return nil }
        return .instance(try url(metadata ?? "http://169.254.169.254", "AWS_EC2_METADATA_SERVICE_ENDPOINT"))
    }

    private static func isText(_ text: String) -> Bool {
        1...8192 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Whether a host can be a container agent: loopback, ECS or EKS.
    private static func isAgent(_ host: String) -> Bool {
        if ["localhost", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "[::1]"].contains(host) { return true }
        guard let loopback = IPNetwork("127.0.0.0/8"), let address = IPAddress(host) else { return false }
        return loopback.contains(address)
    }
}

/// Parses responses that contain temporary credentials.
enum S3RoleResponse {
    /// Parses the credentials from a JSON object of a container agent or the EC2 metadata service; nil for another
    /// text.
    static func lease(json: [UInt8]) -> S3Role.Lease? {
        guard let values = strings(json), values["Code"] ?? "Success" == "Success" else { return nil }
        return lease(values["AccessKeyId"], values["SecretAccessKey"], values["Token"], values["Expiration"])
    }

    /// Parses the credentials from an STS response; nil for another text.
    static func lease(xml: [UInt8]) -> S3Role.Lease? {
        let text = String(decoding: xml, as: UTF8.self)
        guard let values = S3Text.element("Credentials", in: text[...]) else { return nil }
        func value(_ name: String) -> String? { S3Text.element(name, in: values).map(String.init) }
        return lease(value("AccessKeyId"), value("SecretAccessKey"), value("SessionToken"), value("Expiration"))
    }

    /// Parses a Google access token from a JSON object; nil for another text.
    ///
    /// - Parameters:
    ///   - json: The response.
    ///   - account: The account that owns the token.
    ///   - now: The time of the response.
    /// - Returns: The credentials, with the token as session token.
    static func lease(token json: [UInt8], of account: GoogleAccount, at now: UnixTime) -> S3Role.Lease? {
        let text = String(decoding: json, as: UTF8.self)
        guard let token = strings(json)?["access_token"], let name = text.bytes.firstRange(of: "\"expires_in\"") else {
            return nil
        }
        let digits = text.utf8[name.upperBound...].drop { !$0.isDecimalDigit }.prefix { $0.isDecimalDigit }
        guard digits.count <= 9, let seconds = Int(String(decoding: digits, as: UTF8.self)),
            let credentials = S3Credentials(accessKeyID: account.email, secretAccessKey: "none", sessionToken: token)
        else { return nil }
        return S3Role.Lease(credentials: credentials, end: UnixTime(clamping: now.seconds + seconds))
    }

    private static func lease(_ id: String?, _ secret: String?, _ token: String?, _ end: String?) -> S3Role.Lease? {
        guard let id, let secret, let token, let end = end.flatMap(time),
            let credentials = S3Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
        else { return nil }
        return S3Role.Lease(credentials: credentials, end: end)
    }

    /// Parses a time such as `2026-03-01T08:15:30Z`, optionally with fractions of seconds; nil for another text.
    static func time(_ text: String) -> UnixTime? {
        let bytes = Array(text.utf8)
        guard 20...40 ~= bytes.count, bytes.last == UInt8(ascii: "Z") else { return nil }
        // trusted: these are bytes
        let numbers = bytes.prefix(19).split { !$0.isDecimalDigit }
        let values = numbers.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
        guard values.count == 6, numbers.map(\.count) == [4, 2, 2, 2, 2, 2] else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (values[0] - 1900, values[1] - 1, values[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (values[3], values[4], values[5])
        return UnixTime(clamping: timegm(&parts))
    }

    /// Returns the string members of a flat JSON object; nil for another text.
    ///
    /// The object may contain only strings, numbers, `true`, `false` and `null`. Strings may contain only
    /// single-character escapes.
    private static func strings(_ json: [UInt8]) -> [String: String]? {
        var values: [String: String] = [:]
        var name: String?
        var index = 0
        while index < json.count {
            defer { index += 1 }
            switch json[index] {
            case UInt8(ascii: "\""):
                var text: [UInt8] = []
                index += 1
                while index < json.count, json[index] != UInt8(ascii: "\"") {
                    if json[index] == UInt8(ascii: "\\") {
                        index += 1
                        guard index < json.count, "\"\\/".utf8.contains(json[index]) else { return nil }
                    }
                    text.append(json[index])
                    index += 1
                }
                guard index < json.count else { return nil }
                let string = String(decoding: text, as: UTF8.self)
                if let key = name {
                    values[key] = string
                    name = nil
                } else {
                    name = string
                }
            case UInt8(ascii: ","): name = nil
            case UInt8(ascii: "["): return nil
            default: break
            }
        }
        return values
    }
}
