import HeadroomAPI
import Requests
import UntrustedText

extension Translation {
    /// The translation for a path with an absolute URL, or with the path of a source below `origin`.
    ///
    /// If `origin` is nil, the error contains `expected` and the option that sets the origin of the URL format.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(
        path: Substring,
        _ query: String,
        below origin: OriginBase?,
        of format: URLFormatName,
        otherwise expected: String
    ) throws(Problem) {
        if SourceText.isEncoded(path) != nil {
            guard let text = SourceText.address(path) else {
                throw .invalid(option: String(path), expected: "a source in percent-encoded UTF-8")
            }
            self.init(source: text + query)
        } else {
            guard let origin else {
                let reason = "because a path requires the setting --\(format.rawValue)-origin"
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

    /// Sets the size of a crop around faces: `factor` is a multiple of the heads, at least 1.
    mutating func setCloseness(_ factor: Double) {
        self[.zoom] = "1"
        self[.padding] = NumberText.plain(min(max(0, (factor - 1) / 2), 10))
    }

    /// Sets the mask.
    ///
    /// For JPEG, which lacks alpha, also sets a white background unless one is set.
    mutating func setMask(_ mask: String?) {
        guard let mask else { return }
        self[.mask] = mask
        if self[.format] == "jpeg", self[.background] == nil { self[.background] = "ffffff" }
    }

    /// Sets the file name for saving the output in browsers: the requested name with its invalid characters replaced,
    /// or the source's name.
    mutating func setDownload(_ name: String?) {
        let path = source.bytes.prefix(before: "?#")
        let own = path.bytes.split(separator: "/").last.map(String.init) ?? ""
        self[.download] = [name ?? "", own].lazy.compactMap(DownloadName.cleaned).first ?? "image"
    }

    /// Sets the colour of bars and of transparent parts; only bars may be transparent.
    mutating func setBackground(_ color: CSSColor, isPadded: Bool, option: String) {
        if !isPadded, color.alpha == 0 { return }
        self[.background] = color.background
        if color.losesAlpha { ignore("\(option): alpha") }
    }

    /// Sets rotation and mirroring of a service that mirrors before it rotates; in Headroom, the rotation is first.
    mutating func setTurn(quarters: Int, mirrorsColumns: Bool, mirrorsRows: Bool) {
        let isOnSide = quarters % 2 == 1
        let (columns, rows) = isOnSide ? (mirrorsRows, mirrorsColumns) : (mirrorsColumns, mirrorsRows)
        if quarters > 0 { self[.rotate] = "\(quarters * 90)" }
        if columns || rows { self[.flip] = columns && rows ? "both" : columns ? "horizontal" : "vertical" }
    }
}
