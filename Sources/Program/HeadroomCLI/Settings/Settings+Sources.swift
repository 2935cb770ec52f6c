import Fetching
import HeadroomAPI
import Requests

/// Settings for images in buckets and in a folder.
extension Settings {
    static let localRoot = Setting<LocalFolder?>.optional(
        "local-root",
        "Folder for local:///path URLs. Links that lead out of it are rejected.",
        default: "no local files",
        expected: "an absolute path of a folder that can be opened",
        valueName: "path",
        text: { $0?.path },
        parse: { $0.hasPrefix("/") ? LocalFolder($0) : nil }
    )
    static let baseURL = Setting<BaseURL?>.optional(
        "base-url",
        "Base URL for relative url values such as /a.jpg: http(s)://…, s3://bucket/prefix or local:///.",
        default: "no relative URLs",
        expected: "the URL of a folder that this service may read, such as https://example.com/photos/",
        valueName: "url",
        text: { $0?.string },
        parse: { try? BaseURL($0) }
    )
    static let sourceRewrites = Setting<SourceRewrites>(
        "source-rewrites",
        """
        Rules that replace the beginning of url values: photos://=s3://bucket/public/, or with wildcards \
        cdn-*://=https://${1}.example.com/; a comma-separated list.
        """,
        default: SourceRewrites(),
        words: "none",
        expected: "comma-separated rules such as photos://=s3://bucket/public/, with a slash at both ends",
        valueName: "list",
        text: { _ in nil },
        parse: { SourceRewrites($0) }
    ).reloadable
    static let missingImage = Setting.path(
        "fallback-image",
        "Fallback image to crop if the source is missing or its origin fails."
    ).reloadable
    static let s3Buckets = Setting<S3BucketList?>.optional(
        "s3-buckets",
        "Buckets that s3://bucket/key URLs may name: a comma-separated list, or * for all that the credentials can read.",
        default: "no buckets",
        expected: "comma-separated bucket names, or *",
        valueName: "list",
        parse: { S3BucketList($0) }
    ).reloadable
    static let s3Endpoint = Setting<WebURL?>.optional(
        "s3-endpoint",
        "URL of an S3-compatible service, such as http://minio:9000. It may be private.",
        default: "AWS",
        expected: "an http or https URL without a query, with only letters, digits and -._~ in its path",
        valueName: "url",
        text: { $0.map { $0.string.hasSuffix("/") ? String($0.string.dropLast()) : $0.string } },
        parse: { text in (try? WebURL(text)).flatMap { S3Configuration.isEndpoint($0) ? $0 : nil } }
    ).reloadable
    static let s3Region = Setting<String>(
        "s3-region",
        "Region of the buckets.",
        default: "us-east-1",
        words: "AWS_REGION, otherwise us-east-1",
        expected: "a region such as eu-central-1, or auto",
        valueName: "name",
        text: { $0 },
        parse: { S3Configuration.isRegion($0) ? $0 : nil }
    ).reloadable
    static let s3PathStyle = Setting<Bool?>.optional(
        "s3-path-style",
        "Position of the bucket name in request URLs. on: in the path. off: in the host name.",
        default: "on with --s3-endpoint, otherwise off",
        expected: "on or off",
        valueName: "on|off",
        parse: { ["on": true, "off": false][$0] }
    ).reloadable
    static let s3CredentialsFile = Setting.path(
        "s3-credentials-file",
        "File with credentials by profile, used if AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set."
    ).reloadable
    static let s3InstanceRole = Setting.flag(
        "s3-instance-role",
        "Without other credentials, use the role of this EC2 instance, from its metadata service."
    ).reloadable
    static let s3Profile = Setting<String>(
        "s3-profile",
        "Profile in the credentials file.",
        default: "default",
        expected: "a name of letters, digits, dots, hyphens and underscores",
        valueName: "name",
        text: { $0 },
        parse: { name in
            let isName = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            return isName && 1...128 ~= name.utf8.count ? name : nil
        }
    ).reloadable
}

/// Settings for images in Google Cloud Storage and Azure Blob Storage.
extension Settings {
    static let gsBuckets = Setting<S3BucketList?>.optional(
        "gs-buckets",
        "Buckets of Google Cloud Storage that gs://bucket/key URLs may name: a comma-separated list, or *.",
        default: "no buckets",
        expected: "comma-separated bucket names, or *",
        valueName: "list",
        parse: { S3BucketList($0) }
    ).reloadable
    static let gsCredentialsFile = Setting.path(
        "gs-credentials-file",
        "JSON key file of the service account for --gs-buckets.",
        default: "GOOGLE_APPLICATION_CREDENTIALS"
    ).reloadable
    static let gsEndpoint = endpoint(
        "gs-endpoint",
        "URL of a service that replaces Google Cloud Storage.",
        default: "Google"
    )
    static let azureContainers = Setting<S3BucketList?>.optional(
        "azure-containers",
        "Containers of Azure Blob Storage that abs://container/name URLs may name: a comma-separated list, or *.",
        default: "no containers",
        expected: "comma-separated container names, or *",
        valueName: "list",
        parse: { S3BucketList($0) }
    ).reloadable
    static let azureAccount = Setting<String?>.optional(
        "azure-account",
        "Storage account of --azure-containers. Its key or shared access signature is in the environment.",
        default: "AZURE_STORAGE_ACCOUNT",
        expected: "3 to 24 lower-case letters and digits",
        valueName: "name",
        text: { $0 },
        parse: { AzureConfiguration.isAccount($0) ? $0 : nil }
    ).reloadable
    static let azureEndpoint = endpoint(
        "azure-endpoint",
        "URL of a service that replaces Azure Blob Storage, such as http://azurite:10000/account.",
        default: "Azure"
    )

    /// The URL of a service of objects; `words` name the usual service.
    private static func endpoint(_ name: String, _ help: String, default words: String) -> Setting<WebURL?> {
        .optional(
            name,
            help,
            default: words,
            expected: "an http or https URL without a query, with only letters, digits and -._~ in its path",
            valueName: "url",
            text: { $0.map { $0.string.hasSuffix("/") ? String($0.string.dropLast()) : $0.string } },
            parse: { text in (try? WebURL(text)).flatMap { S3Configuration.isEndpoint($0) ? $0 : nil } }
        ).reloadable
    }
}

/// Settings for fetching images by URL.
extension Settings {
    static let sourceEncryptionKeys = SecretSetting(
        "source-encryption-keys",
        "File with the keys of encrypted url values, 64 hexadecimal digits each. The first key encrypts.",
        lengths: 64...64
    )
    static let fetching = FetchConfiguration(userAgent: "Headroom/\(HeadroomVersion.current)")

    static let maxSourceBytes = Setting.integer(
        "max-source-bytes",
        "Maximum size of a fetched image in bytes.",
        in: 1...1_073_741_824,
        default: fetching.maxBytes
    )
    static let maxSourceMemory = Setting.integer(
        "max-source-memory",
        "Memory limit in MiB for all fetched images being received, queued or processed. Above it, requests get 503.",
        in: 1...1_048_576,
        default: fetching.maxBytesInHand >> 20,
        valueName: "MiB"
    )
    static let allowPrivateSources = Setting.flag(
        "allow-private-sources",
        "Allow fetching from private and loopback addresses and from any port."
    )
    static let allowHosts = Setting<[HostPattern]?>.optional(
        "allow-hosts",
        "Hosts to fetch images from: example.com, *.example.com, example.com:8443, https://example.com/photos/; a "
            + "comma-separated list, or none.",
        default: "all public hosts",
        expected: "comma-separated hosts such as example.com, *.example.com or example.com:8443, or none",
        valueName: "list",
        parse: { $0 == "none" ? [] : patterns($0, sourcePattern) }
    ).reloadable
    static let denyHosts = Setting<[HostPattern]?>.optional(
        "deny-hosts",
        "Hosts never to fetch images from, in the syntax of --allow-hosts. It has priority over --allow-hosts.",
        default: "none",
        expected: "comma-separated hosts such as example.com, *.example.com or example.com:8443, or none",
        valueName: "list",
        parse: { $0 == "none" ? [] : patterns($0, sourcePattern) }
    ).reloadable
    /// Patterns separated by commas; nil if one of them is invalid.
    private static func patterns(_ text: String, _ read: (Substring) -> HostPattern?) -> [HostPattern]? {
        let patterns = text.split(separator: ",", omittingEmptySubsequences: false).map(read)
        return patterns.contains(nil) ? nil : patterns.compactMap(\.self)
    }
    /// A pattern of sources, ignoring spaces.
    static func sourcePattern(_ text: some StringProtocol) -> HostPattern? {
        HostPattern(source: String(text.filter { $0 != " " }))
    }

    static let connectTimeout = Setting.seconds(
        "connect-timeout",
        "Time limit for connecting to the host of a URL, in seconds.",
        default: fetching.connectTimeout
    )
    static let fetchTimeout = Setting.seconds(
        "fetch-timeout",
        "Time limit for fetching a URL, in seconds, including all redirects.",
        default: fetching.timeout
    )
    static let maxRedirects = Setting.integer(
        "max-redirects",
        "Maximum number of redirects.",
        in: 0...20,
        default: fetching.maxRedirects
    )
    static let fetchSlots = Setting.integer(
        "fetch-slots",
        "Maximum number of concurrent fetches.",
        in: 1...128,
        default: fetching.slots
    )
}

/// Settings for fetching from origins.
extension Settings {
    static let fetchProxy = Setting<FetchProxy?>.optional(
        "fetch-proxy",
        """
        HTTP proxy for all fetches, including buckets: http://[user:password@]host:port. The proxy resolves host names. If \
        it contains a password, set HEADROOM_FETCH_PROXY instead of this option.
        """,
        default: "none",
        expected: FetchProxy.expected,
        valueName: "url",
        text: { $0?.description },
        parse: { FetchProxy($0) }
    ).secret.reloadable
    static let fetchNoProxy = hosts(
        "fetch-no-proxy",
        "Hosts to contact without the proxy, in the syntax of --allow-hosts, without schemes and paths."
    )
    static let fetchCAFile = Setting.path(
        "fetch-ca-file",
        "PEM file with certificate authorities to trust in addition to the system's."
    ).reloadable
    static let fetchClientCertificate = Setting.path(
        "fetch-client-certificate",
        "PEM file with the client certificate, and its chain, for the hosts of --fetch-client-hosts."
    ).reloadable
    static let fetchClientKey = Setting.path(
        "fetch-client-key",
        "PEM file with the private key of the client certificate, without a passphrase.",
        default: "in --fetch-client-certificate"
    ).reloadable
    static let fetchClientHosts = hosts(
        "fetch-client-hosts",
        "Hosts that receive the client certificate, in the syntax of --allow-hosts, without schemes and paths."
    )
    static let fetchHeadersFile = Setting.path(
        "fetch-headers-file",
        "File with header fields per host: [host], followed by lines such as Referer: https://example.com/."
    ).reloadable
    static let fetchUserAgent = Setting<String>(
        "fetch-user-agent",
        "User-Agent of all fetches.",
        default: fetching.userAgent,
        words: "Headroom and its version",
        expected: "1 to 128 characters of visible ASCII",
        valueName: "text",
        text: { $0 },
        parse: { text in
            (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? text : nil
        }
    )

    /// A list of hosts, none by default.
    private static func hosts(_ name: String, _ help: String) -> Setting<[HostPattern]> {
        Setting(
            name,
            help,
            default: [],
            words: "none",
            expected: "comma-separated hosts such as example.com, *.example.com or example.com:8443",
            valueName: "list",
            text: { _ in nil },
            parse: { patterns($0) { HostPattern(String($0.filter { $0 != " " })) } }
        ).reloadable
    }
}
