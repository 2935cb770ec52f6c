/// A format that the service reads only with a converter, which is a program of the operator.
///
/// The raw values are the names in the settings.
package enum ConvertibleFormat: String, CaseIterable, Sendable {
    case svg, pdf, ps, psd, djvu, emf, wmf, xcf
    case jp2, jxr, qoi, exr, hdr, dds, tga, pnm, fits, dicom
    case dng, nef, cr2, cr3, crw, arw, raf, orf, rw2, pef, mrw, x3f
    case mp4, mov, webm, mkv, avi, mpeg, ts, flv, ogv, wmv

    /// The name of the format in messages.
    package var name: String {
        switch self {
        case .ps: "PostScript"
        case .psd: "Photoshop"
        case .djvu: "DjVu"
        case .jp2: "JPEG 2000"
        case .jxr: "JPEG XR"
        case .exr: "OpenEXR"
        case .hdr: "Radiance HDR"
        case .tga: "Targa"
        case .pnm: "Netpbm"
        case .mov: "QuickTime"
        case .webm: "WebM"
        case .mkv: "Matroska"
        case .ts: "MPEG-TS"
        case .ogv: "Ogg"
        case .wmv: "Windows Media"
        // trusted: raw values are ASCII.
        default: rawValue.uppercased()
        }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Returns the format of a file by its first bytes; nil for images that the service reads itself, and for unknown
    /// files.
    ///
    /// Raw photographs that have the structure of TIFF are an exception: the service reads their preview.
    package static func sniff(_ bytes: [UInt8]) -> ConvertibleFormat? {
        if let raw = RawPhoto.sniff(bytes) { return raw }
        guard InputFormat.sniff(bytes) == nil else { return nil }
        return ForeignFormat.sniff(bytes).flatMap { byName[$0] }
    }
}
