import Fetching
import HeadroomAPI
import Requests

/// Settings for pictures in buckets and in a folder.
extension Settings {
    static let localRoot = Setting<LocalFolder?>.optional(
        "local-root",
        "Folder of the files that local:///path names; links that lead out of it are refused.",
        default: "no local files",
        expected: "an absolute path of a folder that can be opened",
        valueName: "path",
        text: { $0?.path },
        parse: { $0.hasPrefix("/") ? LocalFolder($0) : nil }
    )
    static let baseURL = Setting<BaseURL?>.optional(
        "base-url",
        "URL below which short addresses are resolved, such as /a.jpg: http(s)://…, s3://bucket/prefix or local:///.",
        default: "no short addresses",
        expected: "the URL of a folder that this service may read, such as https://example.com/photos/",
        valueName: "url",
        text: { $0?.string },
        parse: { try? BaseURL($0) }
    )
    static let s3Buckets = Setting<S3BucketList?>.optional(
        "s3-buckets",
        "Buckets to read s3://bucket/key from: a comma-separated list, or * for all that the credentials can read.",
        default: "no buckets",
        expected: "comma-separated names of buckets, or *",
        valueName: "list",
        parse: { S3BucketList($0) }
    ).reloadable
    static let s3Endpoint = Setting<WebURL?>.optional(
        "s3-endpoint",
        "Address of an S3-compatible service, such as http://minio:9000; it may be private.",
        default: "AWS",
        expected: "an http or https address without a path",
        valueName: "url",
        text: { $0.map { String($0.string.dropLast()) } },
        parse: { text in
            (try? WebURL(text)).flatMap { url in url.string.split(separator: "/").count == 2 ? url : nil }
        }
    ).reloadable
    static let s3Region = Setting<String>(
        "s3-region",
        "Region of the buckets.",
        default: "us-east-1",
        words: "AWS_REGION, else us-east-1",
        expected: "a region such as eu-central-1, or auto",
        valueName: "name",
        text: { $0 },
        parse: { S3Configuration.isRegion($0) ? $0 : nil }
    ).reloadable
    static let s3PathStyle = Setting<Bool?>.optional(
        "s3-path-style",
        "Whether requests have the bucket in the path and not in the host name: on or off.",
        default: "on with --s3-endpoint, else off",
        expected: "on or off",
        valueName: "on|off",
        parse: { ["on": true, "off": false][$0] }
    ).reloadable
    static let s3CredentialsFile = Setting.path(
        "s3-credentials-file",
        "File with the credentials of profiles, if AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set."
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

/// Settings for fetching pictures by URL.
extension Settings {
    static let fetching = FetchConfiguration(userAgent: "Headroom/\(HeadroomVersion.current)")

    static let maxSourceBytes = Setting.integer(
        "max-source-bytes",
        "Maximum size of a fetched picture in bytes.",
        in: 1...1_073_741_824,
        default: fetching.maxBytes
    )
    static let maxSourceMemory = Setting.integer(
        "max-source-memory",
        "Memory limit in MiB for all fetched pictures being received, queued or processed; beyond it requests get 503.",
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
        "Hosts to fetch pictures from: example.com, *.example.com, example.com:8443; a comma-separated list, or none.",
        default: "all public hosts",
        expected: "comma-separated hosts such as example.com, *.example.com or example.com:8443, or none",
        valueName: "list",
        parse: { text in
            if text == "none" { return [] }
            let patterns = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                hostPattern(part)
            }
            return patterns.contains(nil) ? nil : patterns.compactMap(\.self)
        }
    ).reloadable
    /// A pattern, without regard to blanks.
    static func hostPattern(_ text: some StringProtocol) -> HostPattern? {
        HostPattern(String(text.filter { $0 != " " }))
    }

    static let connectTimeout = Setting.seconds(
        "connect-timeout",
        "Seconds to connect to the host of a URL.",
        default: fetching.connectTimeout
    )
    static let fetchTimeout = Setting.seconds(
        "fetch-timeout",
        "Seconds to fetch a URL, including all redirects.",
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

/// Settings of other services' addresses.
extension Settings {
    static let thumborKey = SecretSetting(
        "thumbor-key",
        "File with thumbor's SECURITY_KEY; addresses below /thumbor then need its signature.",
        lengths: Secret.foreignLengths
    )
    static let imgproxyKey = SecretSetting(
        "imgproxy-key",
        "File with imgproxy's keys in hexadecimal digits; addresses below /imgproxy then need a signature.",
        lengths: Secret.foreignLengths
    )
    static let imgproxySalt = SecretSetting(
        "imgproxy-salt",
        "File with imgproxy's salts in hexadecimal digits, one for each key.",
        lengths: Secret.foreignLengths
    )
    static let imgixToken = SecretSetting(
        "imgix-token",
        "File with imgix' tokens, as name=token for each source; addresses below /imgix then need a signature.",
        lengths: Secret.foreignLengths
    )
    static let cloudinarySecret = SecretSetting(
        "cloudinary-secret",
        "File with Cloudinary's API secrets; addresses below /cloudinary then need a signature.",
        lengths: Secret.foreignLengths
    )
}
