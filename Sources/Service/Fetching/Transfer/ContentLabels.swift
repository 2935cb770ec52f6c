import Decompression
import Encodings

/// The members of the field `Content-Encoding` (RFC 9110 §8.4), in the order in which the codings were applied.
///
/// Clients of object stores and content management systems also put other values into this field, such as a character
/// encoding, the encoding of an upload, or a media type. These values do not describe a coding of the body.
struct ContentLabels {
    /// The maximum number of members.
    static let maxCount = 16

    /// A member that names a coding of the body.
    enum Label: Equatable {
        case gzip
        case deflate
        case brotli
        case zstandard
        /// Amazon's framing of uploads, which has a signature for each chunk.
        ///
        /// Some services store it as part of the object.
        case signedChunks
        /// Another coding; the name is shortened.
        case unknown(String)

        /// The name of the coding in the field.
        var name: String {
            switch self {
            case .gzip: "gzip"
            case .deflate: "deflate"
            case .brotli: "br"
            case .zstandard: "zstd"
            case .signedChunks: "aws-chunked"
            case .unknown(let name): name
            }
        }

        /// The compressed format; nil if the bytes are not compressed.
        var format: CompressedFormat? {
            switch self {
            case .gzip: .gzip
            case .deflate: .deflate
            case .brotli: .brotli
            case .zstandard: .zstandard
            case .signedChunks, .unknown: nil
            }
        }
    }

    /// The codings from the field that have not been decoded yet.
    private(set) var codings: [Label] = []

    /// Parses a field; throws ``FetchError/undecodable(coding:)`` if it has more than ``maxCount`` members.
    init(_ field: String) throws(FetchError) {
        let members = field.utf8.split(separator: UInt8(ascii: ","), maxSplits: Self.maxCount)
        guard members.count <= Self.maxCount else {
            throw .undecodable(coding: "a list of more than \(Self.maxCount) codings")
        }
        codings = members.compactMap { Self.label(Array($0)) }
    }

    /// Removes the last coding of a kind, if present.
    mutating func remove(_ label: Label) {
        // bounded: the index of an element
        if let index = codings.lastIndex(of: label) { codings.remove(at: index) }
    }

    /// Names that clients send although the body has no coding.
    private static let harmless = Set(
        [
            "", "identity", "none", "null", "undefined", "false", "raw", "plain", "text", "binary", "base64", "7bit",
            "8bit", "quoted-printable", "utf-8", "utf8", "utf-16", "ascii", "us-ascii", "iso-8859-1", "latin1",
            "windows-1252", "unicode", "jpg", "jpeg", "png", "webp", "gif", "avif",
        ].map { Array($0.utf8) }
    )

    /// Returns the coding that a member names; nil for a member that does not describe the body, such as `utf-8` or
    /// `image/png`.
    private static func label(_ member: [UInt8]) -> Label? {
        // The name without parameters, quotes and spaces.
        let name = member.prefix { $0 != UInt8(ascii: ";") }
            .filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
            .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 0x20 : $0 }
        switch name.count <= 32 ? String(decoding: name, as: UTF8.self) : "" {
        case "gzip", "x-gzip": return .gzip
        case "deflate", "zlib", "x-deflate": return .deflate
        case "br", "brotli": return .brotli
        case "zstd", "zstandard", "x-zstd": return .zstandard
        case "aws-chunked": return .signedChunks
        default: break
        }
        let isHarmless =
            harmless.contains(name) || name.contains(UInt8(ascii: "/")) || name.contains(UInt8(ascii: "="))
        if isHarmless { return nil }
        let shown = name.prefix(32).filter { 0x21...0x7E ~= $0 }
        return .unknown(String(decoding: shown, as: UTF8.self))
    }
}
