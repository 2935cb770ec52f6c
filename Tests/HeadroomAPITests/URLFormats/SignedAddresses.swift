import Addresses
import Cryptography
import Encodings
import HeadroomAPI
import Testing

/// Signed URLs of each URL format, built as the other services' documentation describes.
enum SignedAddresses {
    static let secret = "abcdefgh0123"

    /// A signed URL.
    struct Row: CustomTestStringConvertible, Sendable {
        let name: URLFormatName
        /// The URL below the prefix of the URL format.
        let address: String

        var testDescription: String { address }

        /// The URL format with the keys of all rows.
        func urlFormat() throws -> any URLFormat {
            try #require(try SignedAddresses.configuration(origin: "https://origin.example").served[name])
        }
    }

    /// All URL formats with keys, and with origins below an address.
    static func configuration(origin: String) throws -> URLFormatConfiguration {
        let secrets = try Secret.list(secret, lengths: Secret.foreignLengths)
        var configuration = URLFormatConfiguration()
        configuration.names = URLFormatName.allCases
        configuration[ThumborURLFormat.self].keys = secrets
        configuration[ImgproxyURLFormat.self].keys = try Secret.list(hexadecimal, lengths: Secret.foreignLengths)
        configuration[ImgproxyURLFormat.self].salts = configuration[ImgproxyURLFormat.self].keys
        configuration[ImgixURLFormat.self].sources = try #require(
            ImgixSources("shop=\(origin)/shop,press=\(origin)/press,*")
        )
        configuration[ImgixURLFormat.self].tokens = try ImgixTokens(
            "shop=\(secret),press=press-\(secret),*=whole-\(secret)",
            of: configuration[ImgixURLFormat.self].sources
        )
        configuration[CloudinaryURLFormat.self].secrets = secrets
        configuration[CloudinaryURLFormat.self].origin = OriginBase(origin)
        configuration[CloudflareURLFormat.self].origin = OriginBase(origin)
        configuration[ImageKitURLFormat.self].origin = OriginBase(origin)
        return configuration
    }

    private static let hexadecimal = Hexadecimal.text(Array(secret.utf8))

    /// Rows whose image is at this URL.
    static func rows(of url: String) -> [Row] {
        let encoded = PercentEncoding.encoded(url)
        let query = "\(encoded)%3Fx%3D1"
        let fetched = ["c_fill,w_60,h_50/q_80/\(url)", "w_60/\(encoded)", "w_60/\(query)"]
        return ["60x50/smart/\(url)", "fit-in/60x50/filters:quality(80):expire(4000000000)/\(encoded)"].map {
            Row(name: .thumbor, address: "/\(thumbor($0))/\($0)")
        }
            + ["/rs:fill:60:50/g:sm/plain/\(encoded)@png", "/w:60/\(Base64.text(Array(url.utf8)))"].map {
                Row(name: .imgproxy, address: "/\(imgproxy($0))\($0)")
            }
            + ["/\(encoded)?w=60&h=50&fit=crop", "/\(query)?w=60"].map {
                Row(name: .imgix, address: "\($0)&s=\(imgix($0, token: "whole-\(secret)"))")
            }
            + ["/\(encoded)?w=60&expires=4000000000"].map {
                Row(name: .imgix, address: "\($0)&s=\(imgix($0, token: "whole-\(secret)"))")
            }
            + fetched.map { Row(name: .cloudinary, address: "/image/fetch/s--\(cloudinary($0))--/\($0)") }
    }

    static let all: [Row] =
        rows(of: "http://example.com/a.jpg")
        + ["/a.jpg?w=60", "/dir/a.jpg"].map { path in
            Row(name: .imgix, address: "/shop\(path)\(path.contains("?") ? "&" : "?")s=\(imgix(path, token: secret))")
        }
        + ["c_fill,w_60,h_50/q_80/dir/a.jpg", "w_60/v1/dir/a.jpg"].map { path in
            let signed = path.replacing("/v1/", with: "/")
            return Row(name: .cloudinary, address: "/demo/image/upload/s--\(cloudinary(signed))--/\(path)")
        }

    static func thumbor(_ path: String) -> String {
        Base64.text(MessageDigest.sha1.authenticationCode(of: Array(path.utf8), key: Array(secret.utf8)))
    }

    static func imgproxy(_ path: String) -> String {
        let message = Array(secret.utf8) + Array(path.utf8)
        return Base64.text(MessageDigest.sha256.authenticationCode(of: message, key: Array(secret.utf8)))
    }

    static func imgix(_ target: String, token: String) -> String {
        Hexadecimal.text(MessageDigest.md5.digest(of: Array((token + target).utf8)))
    }

    static func cloudinary(_ path: String) -> String {
        String(Base64.text(MessageDigest.sha1.digest(of: Array((path + secret).utf8))).prefix(8))
    }
}
