import Geometry
package import HeadroomAPI
package import HTTPTypes
import Imaging
import Pipeline
import Requests
import UntrustedText

/// Cloudflare's URLs: `/OPTION=VALUE,…/SOURCE` below `/cdn-cgi/image`.
package struct CloudflareURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.cloudflare
    package static let title = "Cloudflare"
    package static let settings: [URLFormatSetting<Self>] = [
        .origin("cloudflare-origin", "Base URL of Cloudflare sources that are paths.", \.origin)
    ]

    /// The base URL of sources in the form of a path; nil rejects them.
    package var origin: OriginBase?

    package init() {}

    /// A URL format of absolute URLs, and of paths below an origin.
    ///
    /// - Parameter origin: The base URL of sources in the form of a path; nil serves only absolute URLs.
    package init(origin: OriginBase?) { self.origin = origin }

    package var signing: Signing { .none }

    package static var optionNames: [String] { CloudflareOptions.names }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let path = address.path.bytes.dropping(UInt8(ascii: "/"))
        guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            throw .invalid(option: String(path), expected: "OPTIONS/SOURCE, such as width=80/https://example.com/a.jpg")
        }
        let options = try CloudflareOptions(path[..<slash])
        let source = path[path.index(after: slash)...]
        let query = address.query.map { "?\($0)" } ?? ""
        let expected = "the absolute URL of a source"
        var translation = try Translation(path: source, query, below: origin, of: Self.name, otherwise: expected)
        translation.ignored = options.ignored
        translation.presenter = { JSONDocument.bytes(of: CloudflareDocument($0)) }
        try options.addArea(to: &translation)
        try options.addShape(to: &translation)
        try options.addOutput(to: &translation)
        return translation
    }

    /// The error number of Cloudflare for a problem.
    package func headers(of problem: Problem) -> HTTPFields { [.cfResized: "err=\(Self.number(of: problem))"] }

    private static func number(of problem: Problem) -> Int {
        switch (problem.kind, problem.status) {
        case (.sourceNotFound, _), (.notFound, _): 9404
        case (.loopDetected, _): 9403
        case (.tooLarge, _), (.responseTooLarge, _): 9413
        case (.unreadableImage, _): 9412
        case (.unsupportedImage, _): 9520
        case (.sourceFailed, .gatewayTimeout): 9504
        case (.sourceFailed, _): 9510
        case (.overloaded, _), (.fetchOverloaded, _), (.rateLimited, _): 9522
        case (.internalError, _): 9524
        default: 9401
        }
    }
}

/// The JSON of Cloudflare's `format=json`: the sizes of result and source, and the format of the source.
private struct CloudflareDocument: Encodable {
    struct Original: Encodable {
        let width, height: Int
        let format: String
    }

    let width, height: Int
    let original: Original

    init(_ plan: FramePlan) {
        let output = plan.crops.first?.output ?? plan.source.size
        (width, height) = plan.turn.swapsSides ? (output.height, output.width) : (output.width, output.height)
        original = Original(
            width: plan.source.size.width,
            height: plan.source.size.height,
            format: "image/\(plan.source.format.rawValue)"
        )
    }
}

extension URLFormatName {
    /// Cloudflare.
    package static let cloudflare = URLFormatName("cloudflare", prefix: "/cdn-cgi/image")
}
