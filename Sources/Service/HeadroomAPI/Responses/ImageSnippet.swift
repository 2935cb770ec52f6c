import Encodings
import Framing
import Geometry
import Imaging
package import Pipeline
package import Requests
import TotalFunctions

/// HTML that shows an image in the requested aspect ratios, for pasting into a page.
///
/// For an image with a URL, the HTML is a `picture` element with one source per aspect ratio, in several widths. The
/// sources are crops from this service, and the browser chooses one by the aspect ratio of its window. Crops of an
/// uploaded image do not have URLs, so the HTML is an `img` element for each aspect ratio, with CSS that crops the
/// image in the browser.
package struct ImageSnippet {
    /// The default widths of sources, in pixels.
    ///
    /// Widths that exceed the width of the crop are not used.
    private static let widths = [400, 800, 1200]

    private let plan: FramePlan
    private let parameters: FrameParameters
    private let signer: LinkSigner?
    private let start: String

    /// Creates the snippet of a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan, with every requested aspect ratio.
    ///   - parameters: The parameters of the plan.
    ///   - signer: Signs the URLs of crops; nil if they do not need a signature.
    ///   - start: The text before the path of each crop: the public URL of the service, its path prefix, or an empty
    ///   text.
    package init(
        _ plan: FramePlan,
        parameters: FrameParameters,
        signer: LinkSigner? = nil,
        below start: String = ""
    ) {
        self.plan = plan
        self.parameters = parameters
        self.signer = signer
        self.start = start
    }

    /// The markup; all untrusted text is escaped.
    package var html: String {
        guard let url = parameters.url else { return styledImages }
        let crops = distinctCrops
        let sources = zip(crops, crops.dropFirst()).map { crop, narrower in
            let media = ("media", Self.media(choosing: size(of: crop), over: size(of: narrower)))
            return "  \(Self.tag("source", [media] + attributes(of: crop, url: url)))\n"
        }
        guard let last = crops.last else { return "" }
        let address = self.address(of: last, width: widths(of: last).max, url: url)
        // With only `width` and `height`, the image would be shown as wide as its largest file.
        let background = last.placeholder?.color.map { "; background: #\($0.digits)" } ?? ""
        let rest = [("style", "max-width: 100%; height: auto\(background)"), ("alt", "")]
        let image = Self.tag("img", [("src", address)] + attributes(of: last, url: url) + rest)
        return sources.isEmpty ? "\(image)\n" : "<picture>\n\(sources.joined())  \(image)\n</picture>\n"
    }

    // MARK: Crops of this service

    /// The crops without duplicate aspect ratios, widest first.
    private var distinctCrops: [FramePlan.Crop] {
        var crops: [FramePlan.Crop] = []
        for crop in plan.crops.sorted(by: { size(of: $0).shape > size(of: $1).shape })
        where crops.last.map({ size(of: $0).shape }) != size(of: crop).shape {
            crops.append(crop)
        }
        return crops
    }

    /// Returns the maximum size of an output without enlargement, after its rotation.
    private func size(of crop: FramePlan.Crop) -> PixelSize { plan.turn.upright(crop.size) }

    private func attributes(of crop: FramePlan.Crop, url: String) -> [(String, String)] {
        let widths = widths(of: crop)
        let candidates = widths.all.map { "\(address(of: crop, width: $0, url: url)) \($0)w" }
        let height = Double(widths.max) / size(of: crop).shape
        return [
            ("srcset", candidates.joined(separator: ", ")),
            ("sizes", asksForSize ? "\(widths.all[0])px" : "100vw"),
            // The browser reserves space of this aspect ratio before the image arrives.
            ("width", "\(widths.max)"),
            ("height", "\(max(1, Int(height.rounded())))"),
        ]
    }

    private var asksForSize: Bool {
        parameters.options.resultSize.width != nil || parameters.options.resultSize.height != nil
    }

    /// Returns the widths of a crop, in pixels: the requested width and twice this width for high-density screens, or
    /// the default widths.
    ///
    /// No width exceeds the crop's own width.
    private func widths(of crop: FramePlan.Crop) -> (all: [Int], max: Int) {
        let maximum = size(of: crop).width
        let (output, options) = (plan.turn.upright(crop.output), parameters.options)
        let asked = Int(clamping: (Double(output.width) / options.resultSize.devicePixelRatio).rounded())
        let wanted = asksForSize ? [max(1, asked), max(1, asked) * 2] : Self.widths
        let all = wanted.filter { $0 < maximum } + (wanted.contains { $0 >= maximum } ? [maximum] : [])
        return (all, all[all.count - 1])
    }

    /// Returns the URL of a crop with all parameters of the request except its size and format.
    ///
    /// The URL is a path on this host unless the service has a public URL.
    ///
    /// Commas and spaces are encoded for `srcset`.
    private func address(of crop: FramePlan.Crop, width: Int, url: String) -> String {
        let replaced: Set<Parameter> = [
            .url, .aspect, .width, .height, .dpr, .enlarge, .format, .placeholder, .download, .preset,
        ]
        var pairs = [(Parameter.url, url)]
        if let aspect = crop.aspect?.text ?? (plan.fitsHeads ? parameters.given[.aspect] : nil) {
            pairs.append((.aspect, aspect))
        }
        for name in Parameter.all where !replaced.contains(name) {
            if let value = parameters.given[name] { pairs.append((name, value)) }
        }
        pairs.append((.width, "\(width)"))
        // Signatures do not cover the prefix.
        if let signer { return start + signer.target("/frame", pairs.map { (name: $0.name, value: $1) }) }
        let query = pairs.map { "\($0.name)=\(PercentEncoding.encoded($1))" }.joined(separator: "&")
        return "\(start)/frame?\(query)"
    }

    /// Returns the media query for windows whose aspect ratio is closer to the wider aspect ratio than to the narrower
    /// one.
    private static func media(choosing wider: PixelSize, over narrower: PixelSize) -> String {
        if wider.shape > 1, narrower.shape < 1 { return "(orientation: landscape)" }
        let middle = (wider.shape * narrower.shape).squareRoot()
        return "(min-aspect-ratio: \(max(1, Int((middle * 1000).rounded())))/1000)"
    }

    // MARK: Crops by the browser

    private var styledImages: String {
        let positions = PlanDocument.positions(of: plan)
        return zip(plan.crops, positions).map { crop, position in
            let size = crop.size
            let shape = "width: 100%; height: auto; aspect-ratio: \(size.width) / \(size.height)"
            let style = "\(shape); \(fit); object-position: \(position)"
            let source = "your-picture.\(plan.source.format.fileExtensions[0])"
            return Self.tag("img", [("src", source), ("style", style), ("alt", "")]) + "\n"
        }.joined()
    }

    private var fit: String {
        switch parameters.options.framing.fit {
        case .cover, .limit, .crop, .auto, .inside, .outside: return "object-fit: cover"
        case .fill: return "object-fit: fill"
        case .pad: break
        }
        return "object-fit: contain" + (parameters.options.background.css.map { "; background: \($0)" } ?? "")
    }

    // MARK: Writing

    private static func tag(_ name: String, _ attributes: [(name: String, value: String)]) -> String {
        "<\(name)\(attributes.map { " \($0.name)=\"\(HTMLText.escaped($0.value))\"" }.joined())>"
    }
}

extension PixelSize {
    /// Width divided by height.
    fileprivate var shape: Double { Double(width) / Double(height) }
}
