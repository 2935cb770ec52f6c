/// The video file formats that ffmpeg may read.
///
/// Each format is a single file without references to other files. The first bytes of a file determine its format; its
/// name is ignored. Otherwise ffmpeg would also follow playlists and lists of other files (ffconcat, HLS, DASH, SDP),
/// which are text. The raw value is the name of ffmpeg's demuxer.
enum MediaContainer: String, CaseIterable {
    /// MP4, QuickTime and 3GP.
    case mov
    /// Matroska and WebM.
    case matroska
    case avi
    /// Windows Media.
    case asf
    case flv
    case gif
    case ogg
    /// The MPEG-2 transport stream, including the AVCHD variant with a timestamp before each packet.
    case mpegts
    /// The programme stream of MPEG-1 and MPEG-2.
    case mpeg
    /// An MPEG-1 or MPEG-2 video stream without a container.
    case mpegvideo

    /// The number of bytes at the start of a file that ``init(_:)`` reads: three packets of a transport stream.
    static let signatureLength = 3 * 192

    /// The names of the formats, for messages.
    static let choices = "MP4, QuickTime, Matroska, WebM, AVI, Windows Media, FLV, GIF, Ogg or MPEG"

    /// The format of a file that starts with these bytes; nil for other formats.
    init?(_ bytes: [UInt8]) {
        guard let found = Self.allCases.first(where: { $0.begins(bytes) }) else { return nil }
        self = found
    }

    /// The options of ffmpeg and ffprobe that restrict an input to this format, and to only this file.
    var options: [String] {
        let references = self == .mov ? ["-enable_drefs", "0", "-use_absolute_path", "0"] : []
        return ["-f", rawValue, "-format_whitelist", rawValue, "-protocol_whitelist", "file"] + references
    }

    private func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .mov:
            let boxes = ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"]
            return bytes.count >= 8 && boxes.contains { bytes[4..<8].elementsEqual($0.utf8) }
        case .matroska: return bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
        case .avi:
            return bytes.count >= 12 && bytes.starts(with: Array("RIFF".utf8))
                && bytes[8..<11].elementsEqual("AVI".utf8)
        case .asf: return bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])
        case .flv: return bytes.starts(with: Array("FLV".utf8) + [1])
        case .gif: return bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8))
        case .ogg: return bytes.starts(with: Array("OggS".utf8) + [0])
        case .mpegts:
            return Self.isTransport(bytes, every: 188, from: 0) || Self.isTransport(bytes, every: 192, from: 4)
        case .mpeg: return bytes.starts(with: [0, 0, 1, 0xBA])
        case .mpegvideo: return bytes.starts(with: [0, 0, 1, 0xB3])
        }
    }

    /// Whether three packets, or all packets if there are fewer, start with the sync byte.
    private static func isTransport(_ bytes: [UInt8], every length: Int, from start: Int) -> Bool {
        guard bytes.count >= length else { return false }
        return stride(from: start, to: min(bytes.count, 3 * length), by: length).allSatisfy { bytes[$0] == 0x47 }
    }
}
