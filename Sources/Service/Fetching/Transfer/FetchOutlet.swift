import UntrustedText
import CCurl
import CTLS
import Encodings

/// The network route: a proxy, additional certificate authorities, and a client certificate.
///
/// It applies to images on the web, to the S3 service, and to roles that get their credentials over https.
package struct FetchOutlet: Hashable, Sendable {
    /// The proxy for all hosts except ``direct``; nil for none.
    ///
    /// A proxy from the environment is never used.
    package var proxy: FetchProxy?
    /// The hosts that are contacted without the proxy.
    package var direct: [HostPattern] = []
    /// The certificate authorities in PEM format, including the system's authorities; nil for the system's authorities
    /// only.
    package var authorities: [UInt8]?
    /// The certificate of this client; nil for none.
    package var identity: ClientIdentity?

    /// Creates a route without a proxy and without additional certificates.
    package init() {}

    /// Returns the proxy for a URL; nil for a direct connection.
    func proxy(for url: WebURL) -> FetchProxy? {
        guard let proxy, !direct.contains(where: { $0.matches(url) }) else { return nil }
        return proxy
    }

    /// Domains that contain names of local networks (RFC 6761, 6762, 8375, and reserved names of the root zone).
    private static let localDomains = [
        "localhost", "local", "internal", "home.arpa", "intranet", "lan", "corp", "home", "private", "localdomain",
    ].map { Array($0.utf8) }

    /// Names of the metadata services of clouds: AWS, Google Cloud, Azure, Tencent Cloud and Equinix Metal.
    static let metadataNames: Set<String> = [
        "instance-data", "instance-data.ec2.internal", "metadata", "metadata.google.internal", "metadata.goog",
        "metadata.azure.internal", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com",
    ]

    /// Returns the reason why a URL must not be requested through a proxy; nil if it may be requested.
    ///
    /// The proxy resolves names, so the policy can check only a literal address in the URL. Names of metadata services
    /// are also refused. Names that exist only in a local network are refused unless `allowsLocalNames` is true.
    static func refusal(of url: WebURL, _ policy: AddressPolicy, allowsLocalNames: Bool) -> FetchRefusal? {
        if let address = url.address {
            return policy.refusal(of: address).map { FetchRefusal("\(address): \($0)", address.cause) }
        }
        if metadataNames.contains(url.host) {
            return FetchRefusal("the name of a metadata service, which the proxy would resolve", .forbiddenAddress)
        }
        guard !allowsLocalNames, isLocalName(url.host) else { return nil }
        return FetchRefusal("a host name of a local network, which the proxy would resolve", .privateAddress)
    }

    /// Whether a name exists only in a local network.
    static func isLocalName(_ host: String) -> Bool {
        let name = Array(host.utf8)
        return !name.contains(UInt8(ascii: "."))
            || localDomains.contains { domain in
                name.suffix(domain.count).elementsEqual(domain)
                    && name.dropLast(domain.count).last == UInt8(ascii: ".")
            }
    }

    /// Joins the certificates of two PEM files, with the system's certificates first.
    ///
    /// Nil if the other file does not contain a certificate.
    package static func authorities(besideSystem others: [UInt8], system: [UInt8]) -> [UInt8]? {
        guard has("CERTIFICATE", others) else { return nil }
        return system + [UInt8(ascii: "\n")] + others
    }

    /// The path of the system's certificate file, which is a default of the libcurl build; nil if it is missing.
    package static var systemAuthorities: String? {
        guard let path = curl_version_info(CURLVERSION_SEVENTH)?.pointee.cainfo else { return nil }
        return String(cString: path)
    }

    /// Whether a PEM file contains a block of a kind, such as `PRIVATE KEY` or `RSA PRIVATE KEY`.
    static func has(_ kind: String, _ file: [UInt8]) -> Bool {
        // trusted: these are bytes
        let lines = file.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let end = Array("\(kind)-----".utf8)
        return lines.contains { $0.starts(with: "-----BEGIN ".utf8) && $0.suffix(end.count).elementsEqual(end) }
    }
}

/// The URL of an HTTP proxy, with its user name and password.
package struct FetchProxy: Hashable, Sendable {
    /// The URL without user name and password.
    let url: String
    /// `user:password`, decoded; nil for none.
    let credentials: String?

    /// The value that ``init(_:)`` accepts, as the end of a sentence.
    package static let expected = "the URL of a proxy, such as http://proxy:3128 or http://user:password@proxy:3128"

    /// Parses a URL with `http://` or `https://`, optional percent-encoded user name and password, host and port; nil
    /// for other text.
    package init?(_ text: String) {
        guard text.utf8.count <= URLText.maxLength else { return nil }
        var text = text
        var credentials: String?
        if let start = text.bytes.firstRange(of: "://")?.upperBound,
            let at = text.utf8[start...].lastIndex(of: UInt8(ascii: "@"))
        {
            // bounded: the search for the @ sign begins after the start
            guard let decoded = PercentEncoding.decoded(Array(text[start..<at].utf8)), !decoded.isEmpty,
                decoded.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            credentials = decoded
            // bounded: the search for the @ sign begins after the start
            text.removeSubrange(start...at)
        }
        guard let url = try? WebURL(text), url.string.bytes.split(separator: "/").count == 2 else { return nil }
        // libcurl's default port for proxies is 1080.
        self.url = "\(url.scheme)://\(url.host):\(url.port)"
        self.credentials = credentials
    }
}

extension FetchProxy: CustomStringConvertible, CustomReflectable {
    /// The URL without user name and password.
    package var description: String { url }

    /// The mirror is empty, so that a dump does not contain the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The certificate and key, in PEM format, that this client presents to certain hosts on request.
package struct ClientIdentity: Hashable, Sendable {
    let certificate: [UInt8]
    let key: [UInt8]
    /// The hosts that may receive this client's identity.
    let hosts: [HostPattern]

    /// Creates an identity.
    ///
    /// Nil unless there is a certificate and a key without a passphrase; both may be in one file.
    package init?(certificate: [UInt8], key: [UInt8], hosts: [HostPattern]) {
        guard FetchOutlet.has("CERTIFICATE", certificate), FetchOutlet.has("PRIVATE KEY", key),
            !FetchOutlet.has("ENCRYPTED PRIVATE KEY", key)
        else { return nil }
        self.certificate = certificate
        self.key = key
        self.hosts = hosts
    }

    /// Whether the key belongs to the certificate; false if OpenSSL cannot read one of them.
    package var keyMatches: Bool {
        certificate.withUnsafeBytes { certificate in
            key.withUnsafeBytes { key in
                guard let first = certificate.baseAddress, let second = key.baseAddress else { return false }
                return hr_tls_key_matches(first, certificate.count, second, key.count) != 0
            }
        }
    }
}

extension ClientIdentity: CustomStringConvertible, CustomReflectable {
    package var description: String { "a client certificate" }

    /// The mirror is empty, so that a dump does not contain the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
