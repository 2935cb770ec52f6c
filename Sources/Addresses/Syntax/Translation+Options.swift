import HeadroomAPI
import Requests
import UntrustedText

extension Translation {
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
                let reason = "because no base URL of sources is configured"
                throw .invalid(option: String(path), expected: "\(expected), \(reason)")
            }
            self.init(source: try origin.address(of: path) + query)
            namesOrigin = false
        }
    }

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
}
