import UntrustedText
package import Pipeline
package import Requests

/// A request in another service's syntax, translated to the parameters of this one.
package struct Translation: Sendable {
    /// The most options of an address that are reported as ignored.
    private static let mostIgnored = 64

    /// Encodes the plan of a crop as the other service's JSON.
    package typealias Presenter = @Sendable (FramePlan) -> [UInt8]

    /// The address of the picture, as the value of `url`.
    package var source: String
    /// Whether the address contains that of the picture; else the picture is below a configured origin, which is not
    /// disclosed to clients.
    package var namesOrigin = true
    /// The parameters without `url`, read like those of a query to `/frame`.
    package var parameters: [(name: Parameter, value: String)]
    /// Options without an effect here, for the header `Headroom-Ignored`.
    package var ignored: [String]
    /// The expiry that the address names, in seconds since 1970; nil for none.
    package var expires: Int?
    /// The address of the picture in place of a missing source; nil for none.
    package var standIn: String?
    /// Encodes the JSON of `format=json`; nil for the plan of this service.
    package var presenter: Presenter?

    /// A translation; without parameters it is the whole picture.
    ///
    /// - Parameters:
    ///   - source: The address of the picture, as the value of `url`.
    ///   - parameters: The parameters without `url`, read like those of a query to `/frame`.
    ///   - ignored: Options without an effect here; of many, the first are reported.
    package init(source: String, parameters: [(name: Parameter, value: String)] = [], ignored: [String] = []) {
        self.source = source
        self.parameters = parameters
        self.ignored = Array(ignored.prefix(Self.mostIgnored))
    }

    /// The translation for a path that holds an absolute address, or names a source below `origin`, which `expected`
    /// replaces if there is none.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(path: Substring, _ query: String, below origin: OriginBase?, otherwise expected: String) throws(Problem) {
        if SourceText.isEncoded(path) != nil {
            guard let text = SourceText.address(path) else {
                throw .invalid(option: String(path), expected: "a source in percent-encoded UTF-8")
            }
            self.init(source: text + query)
        } else {
            guard let origin else {
                let reason = "because no base address of sources is configured"
                throw .invalid(option: String(path), expected: "\(expected), \(reason)")
            }
            self.init(source: try origin.address(of: path) + query)
            namesOrigin = false
        }
    }

    /// The value of a parameter; setting it replaces an earlier one, and nil removes it.
    package subscript(name: Parameter) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            parameters.removeAll { $0.name == name }
            if let newValue { parameters.append((name, newValue)) }
        }
    }

    /// The translation without what caused a problem, if the other service answers with a picture nevertheless; nil if it
    /// does not.
    func relaxed(after problem: Problem, in name: GrammarName) -> Translation? {
        var relaxed = self
        switch problem.cause {
        case .regionOutside where name == .thumbor && self[.region] != nil: relaxed[.region] = nil
        case .tooManyBytes where self[.maxBytes] != nil:
            relaxed[.maxBytes] = nil
            relaxed[.quality] = Self.lowestQuality
            relaxed.ignore("maxBytes")
        default: return nil
        }
        return relaxed
    }

    /// The quality of a result for which no quality makes few enough bytes, as at thumbor and imgproxy.
    private static let lowestQuality = "10"

    // MARK: Setting

    /// Sets width and height, in pixels or in percent of the source's sides.
    mutating func set(_ size: RequestedSize) {
        self[.width] = size.width?.text
        self[.height] = size.height?.text
    }

    /// Sets how close a crop around faces is: `factor` is its size as a multiple of the heads, and at least 1.
    mutating func setCloseness(_ factor: Double) {
        self[.zoom] = "1"
        self[.padding] = NumberText.plain(min(max(0, (factor - 1) / 2), 10))
    }

    /// Sets the mask and, for JPEG, which has no alpha, a white background unless there is one.
    mutating func setMask(_ mask: String?) {
        guard let mask else { return }
        self[.mask] = mask
        if self[.format] == "jpeg", self[.background] == nil { self[.background] = "ffffff" }
    }

    /// Sets the name under which browsers save the result: the requested one, whose invalid characters are replaced, or
    /// that of the source.
    mutating func setDownload(_ name: String?) {
        let path = source.bytes.prefix(before: "?#")
        let own = path.bytes.split(separator: "/").last.map(String.init) ?? ""
        self[.download] = [name ?? "", own].lazy.compactMap(DownloadName.cleaned).first ?? "image"
    }

    /// Sets the colour of bars and of transparent parts; only bars can be transparent.
    mutating func setBackground(_ color: CSSColor, isPadded: Bool, option: String) {
        if !isPadded, color.alpha == 0 { return }
        self[.background] = color.background
        if color.losesAlpha { ignore("\(option): alpha") }
    }

    /// Sets turn and mirroring of a service that mirrors before it turns; here the turn is first.
    mutating func setTurn(quarters: Int, mirrorsColumns: Bool, mirrorsRows: Bool) {
        let isOnSide = quarters % 2 == 1
        let (columns, rows) = isOnSide ? (mirrorsRows, mirrorsColumns) : (mirrorsColumns, mirrorsRows)
        if quarters > 0 { self[.rotate] = "\(quarters * 90)" }
        if columns || rows { self[.flip] = columns && rows ? "both" : columns ? "horizontal" : "vertical" }
    }

    /// Reports an option without effect.
    mutating func ignore(_ option: String) {
        guard ignored.count < Self.mostIgnored, !ignored.contains(where: { $0.bytes == option.bytes }) else { return }
        ignored.append(option)
    }
}
