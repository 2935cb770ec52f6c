import Addresses
import HeadroomAPI

/// Common options, as written in a service's documentation, in its clients and on well-known pages.
struct UsualOptions: Sendable {
    /// Supported options.
    let served: [String]
    /// Options with a visible effect that this service does not support, each with its long name, which the error must
    /// contain.
    let refused: [(options: String, word: String)]
    /// Returns the URL of an image with options, below the prefix of the URL format.
    let address: @Sendable (String) -> ForeignURL

    /// Lists of options, one option per line.
    ///
    /// In the list of rejected options, a bar and the word of the error follow the option.
    init(_ address: @escaping @Sendable (String) -> ForeignURL, served: String, refused: String) {
        self.address = address
        self.served = served.split(separator: "\n").map(String.init)
        self.refused = refused.split(separator: "\n").map { line in
            let bar = line.lastIndex(of: "|") ?? line.endIndex
            return (String(line[..<bar]), String(line[bar...].dropFirst()))
        }
    }

    /// The options of each URL format.
    static let all: [URLFormatName: UsualOptions] = [
        .thumbor: thumbor, .imgproxy: imgproxy, .imgix: imgix, .cloudinary: cloudinary, .cloudflare: cloudflare,
        .weserv: weserv, .imagekit: imagekit, .next: next, .shopify: shopify, .sanity: sanity,
    ]

    /// The URL of the image in all URLs of these tests.
    static let source = "http://example.com/a.jpg"
}
