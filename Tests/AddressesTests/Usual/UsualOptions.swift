import Addresses
import HeadroomAPI

/// Common options, as written in a service's documentation, in its clients and on well-known pages.
struct UsualOptions: Sendable {
    /// Supported options.
    let served: [String]
    /// Options with a visible effect that this service does not support, each with its long name, which the error must
    /// contain.
    let refused: [(options: String, word: String)]

    /// Lists of options, one option per line.
    ///
    /// In the list of rejected options, a bar and the word of the error follow the option.
    init(served: String, refused: String) {
        self.served = served.split(separator: "\n").map(String.init)
        self.refused = refused.split(separator: "\n").map { line in
            let bar = line.lastIndex(of: "|") ?? line.endIndex
            return (String(line[..<bar]), String(line[bar...].dropFirst()))
        }
    }

    /// The options of a URL format.
    static func of(_ name: URLFormatName) -> UsualOptions {
        switch name {
        case .cloudflare: cloudflare
        case .cloudinary: cloudinary
        case .imagekit: imagekit
        case .imgix: imgix
        case .imgproxy: imgproxy
        case .thumbor: thumbor
        case .weserv: weserv
        }
    }

    /// The URL of an image with options, below the prefix of the URL format.
    static func address(_ name: URLFormatName, _ options: String) -> ForeignURL {
        let source = "http://example.com/a.jpg"
        return switch name {
        case .cloudflare: ForeignURL(path: "/\(options)/\(source)")
        case .cloudinary: ForeignURL(path: "/image/fetch/\(options)/\(source)")
        case .imagekit: ForeignURL(path: "/tr:\(options)/a.jpg")
        case .imgix: ForeignURL(path: "/http%3A%2F%2Fexample.com%2Fa.jpg", query: options)
        case .imgproxy: ForeignURL(path: "/unsafe/\(options)/plain/\(source)")
        case .thumbor: ForeignURL(path: "/unsafe/\(options)/\(source)")
        case .weserv: ForeignURL(path: "/", query: "url=example.com/a.jpg&\(options)")
        }
    }
}
