package import Addresses
package import HeadroomAPI

/// Writes URLs of other services with options that no user would write.
package struct HostileAddress: Sendable {
    /// One option: its name and its value.
    package struct Option: Hashable, Sendable {
        package let name: String
        package let value: String

        /// An option with any value.
        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The service that defines the URL format.
    package let service: URLFormatName

    /// URLs of a service.
    package init(_ service: URLFormatName) { self.service = service }

    /// Settings that enable every format to translate as much as possible.
    package static let configuration: URLFormatConfiguration = {
        var configuration = URLFormatConfiguration()
        configuration.names = URLFormatName.allCases
        configuration[ImgproxyURLFormat.self].presets = ["a": "w:10/pr:b", "b": "pr:a/q:5"]
        configuration[ImgixURLFormat.self].sources = ImgixSources("shop=http://h/base,*") ?? ImgixSources()
        configuration[CloudinaryURLFormat.self].origin = OriginBase("http://h/base")
        configuration[CloudflareURLFormat.self].origin = OriginBase("http://h")
        configuration[ImageKitURLFormat.self].origin = OriginBase("http://h/base")
        configuration[NextURLFormat.self].origin = OriginBase("http://h/base")
        configuration[ShopifyURLFormat.self].origin = OriginBase("http://h/base")
        configuration[SanityURLFormat.self].origin = OriginBase("http://h/base")
        return configuration
    }()

    /// The format of the service.
    package var urlFormat: (any URLFormat)? { Self.configuration.served[service] }

    /// The names of the service's options.
    package var names: [String] { urlFormat.map { type(of: $0).optionNames } ?? [] }

    /// Options that must be present before other options' values are parsed.
    package var modes: [[Option]] { Self.forms[service]?.modes ?? [] }

    /// The ways in which the service's clients write options: in one step, in several, in a query, or encoded.
    package func addresses(_ options: [Option]) -> [ForeignURL] { Self.forms[service]?.write(options) ?? [] }
}

extension HostileAddress {
    /// The form of a service's URLs.
    package struct Form: Sendable {
        /// Options that must be present before other options' values are parsed.
        let modes: [[Option]]
        /// URLs that a fuzzer starts with, with the prefix of the service.
        package let seeds: [String]
        /// Writes options in each way of the service's clients.
        let write: @Sendable ([Option]) -> [ForeignURL]

        /// Describes the URLs of a service.
        ///
        /// - Parameters:
        ///   - modes: Options that must be present before other options' values are parsed, each as a query.
        ///   - seeds: URLs that a fuzzer starts with, with the prefix of the service.
        ///   - write: Writes options in each way of the service's clients.
        init(modes: [String], seeds: [String], write: @escaping @Sendable ([Option]) -> [ForeignURL]) {
            self.modes = modes.map { mode in
                mode.split(separator: "&").map { pair in
                    let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
                    return Option(sides[0], sides[1])
                }
            }
            self.seeds = seeds
            self.write = write
        }
    }

    /// The form of each service's URLs.
    package static let forms: [URLFormatName: Form] = [
        .thumbor: thumbor, .imgproxy: imgproxy, .imgix: imgix, .cloudinary: cloudinary, .cloudflare: cloudflare,
        .weserv: weserv, .imagekit: imagekit, .next: next, .shopify: shopify, .sanity: sanity,
    ]

    /// The URL of the image in all URLs.
    static let source = "http://h/a.jpg"

    /// Writes options with a mark between name and value, and a separator between options.
    static func joined(_ options: [Option], _ mark: String, _ separator: String) -> String {
        options.map { "\($0.name)\(mark)\($0.value)" }.joined(separator: separator)
    }

    /// Percent-encodes a text.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            byte < 0x80 && byte > 0x20 && !"%&#+".utf8.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Writes options as a query.
    static func query(_ options: [Option]) -> String {
        options.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }
}
