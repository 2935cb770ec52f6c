/// Raw photographs whose files have the structure of TIFF.
///
/// The TIFF decoder reads only the previews in them.
enum RawPhoto {
    /// The maximum number of examined entries of the first directory.
    private static let maxEntries = 256

    /// Returns the format of a raw photograph; nil for other files, including TIFF files that camera software writes.
    static func sniff(_ bytes: [UInt8]) -> ConvertibleFormat? {
        let isLittle = bytes.starts(with: [0x49, 0x49, 0x2A, 0])
        guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
        if isLittle, bytes.dropFirst(8).starts(with: "CR".utf8) { return .cr2 }
        let directory = Directory(bytes, isLittle: isLittle)
        if directory.hasDNGVersion { return .dng }
        guard directory.isPreview else { return directory.isPentaxRaw ? .pef : nil }
        if directory.make.starts(with: "NIKON".utf8), directory.hasOtherDirectories { return .nef }
        if directory.make.starts(with: "SONY".utf8), directory.hasOtherDirectories { return .arw }
        return directory.isPentaxRaw ? .pef : nil
    }

    /// The fields of the first directory that distinguish formats.
    private struct Directory {
        var hasDNGVersion = false
        var hasOtherDirectories = false
        /// Whether the directory describes a reduced image.
        var isPreview = false
        var make: ArraySlice<UInt8> = []
        private var compression = 0

        /// Whether the image has Pentax compression.
        var isPentaxRaw: Bool {
            compression == 65_535 && (make.starts(with: "PENTAX".utf8) || make.starts(with: "RICOH".utf8))
        }

        init(_ bytes: [UInt8], isLittle: Bool) {
            func number(at place: Int, bytes count: Int) -> Int? {
                guard place >= 0, place <= bytes.count - count else { return nil }
                let part = bytes[place..<place + count]
                return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
            }
            guard let start = number(at: 4, bytes: 4), let count = number(at: start, bytes: 2) else { return }
            for index in 0..<min(count, RawPhoto.maxEntries) {
                let place = start + 2 + 12 * index
                guard let tag = number(at: place, bytes: 2), let length = number(at: place + 4, bytes: 4),
                    let value = number(at: place + 8, bytes: 4)
                else { return }
                switch tag {
                case 254: isPreview = value & 1 == 1
                case 259: compression = number(at: place + 8, bytes: 2) ?? 0
                case 271:
                    // A text of up to four bytes is stored in the entry itself; no maker's name is that short.
                    if length > 4 { make = bytes.dropFirst(value).prefix(min(length, 32)) }
                case 330: hasOtherDirectories = true
                case 50_706: hasDNGVersion = true
                default: break
                }
            }
        }
    }
}
