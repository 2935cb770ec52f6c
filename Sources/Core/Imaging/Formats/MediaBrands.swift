/// The brands of a file of the ISO base media format, which starts with a `ftyp` box (ISO/IEC 14496-12, 4.3).
struct MediaBrands {
    /// The kind of file that a brand denotes; the raw value is its name in messages.
    enum Family: String {
        case avif = "AVIF"
        case heic = "HEIC"
        case raw = "CR3"
        case quickTime = "QuickTime"
        case video = "MP4"
    }

    let family: Family
    /// Whether the file has a sequence of AV1 images, which is an animation.
    let isSequence: Bool

    /// Nil if the bytes do not start with a `ftyp` box.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        // The first brand may be unspecific, such as "mif1", so all brands up to byte 64 are examined.
        let end = min(Int(bytes[3]), bytes.count, InputFormat.signatureLength)
        let brands = stride(from: 8, through: max(8, end - 4), by: 4).map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
        // trusted: brands have four bytes.
        isSequence = brands.contains("avis")
        if brands.contains(where: ["avif", "avis"].contains) {
            family = .avif
        } else if brands.contains(where: ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"].contains) {
            family = .heic
        } else if brands.contains(where: { $0 == "crx " }) {
            family = .raw
        } else {
            family = brands.first == "qt  " ? .quickTime : .video
        }
    }
}
