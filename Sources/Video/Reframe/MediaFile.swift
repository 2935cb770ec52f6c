import FoundationEssentials
import Geometry
import UntrustedText

/// The properties of a video file, such as an MP4, as ffprobe reports them.
struct MediaFile {
    private static let maxFrames = 1 << 24
    /// The maximum size of a copyright note in bytes; a longer note is shortened.
    private static let maxCopyright = 4096

    let path: String
    let container: MediaContainer
    /// The number of the video among the streams of the file.
    let stream: Int
    let fps: Double
    /// The times of the frames in seconds after the first, in ascending order; empty if the file does not state them.
    let times: [Double]
    /// Seconds that the last frame is shown; nil if the file does not state them.
    let lastDuration: Double?
    /// The copyright note in the file, at most ``maxCopyright`` bytes; nil without a note.
    let copyright: String?
    /// Seconds from the start of the file's streams to the first frame.
    let start: Double
    /// ffmpeg's options for the colours, with the values that the file declares.
    let colors: [(option: String, value: String)]
    let sound: Set<String>
    let subtitles: Set<String>
    /// ffmpeg's filters that make the frames progressive, with square pixels and limited range.
    let filters: [String]

    /// Reads the properties of a file.
    ///
    /// - Throws: A ``ReframeFailure`` if ffprobe is missing or cannot read the file, and for HDR.
    init(_ path: String, _ container: MediaContainer) throws(ReframeFailure) {
        (self.path, self.container) = (path, container)
        let probe = try Self.probe(path, container, ["-show_streams", "-show_format", "-print_format", "json"])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let document = try? decoder.decode(Document.self, from: Data(probe)) else {
            throw .video(path, reason: "ffprobe returned no description")
        }
        guard let video = document.streams.first(where: { $0.codecType == "video" && $0.disposition?.attachedPic != 1 })
        else { throw .video(path, reason: "contains no video") }
        if let transfer = video.colorTransfer, ["smpte2084", "arib-std-b67"].contains(transfer) {
            throw .video(
                path,
                reason:
                    "HDR video (\(transfer)) is not supported; expected SDR, for example from ffmpeg's filters zscale and tonemap"
            )
        }
        stream = video.index
        let rates = [video.avgFrameRate, video.rFrameRate].compactMap { $0.flatMap(Self.ratio) }
        fps = min(max(rates.first { (0.01...1000).contains($0) } ?? 25, 1), 240)
        func codecs(_ kind: String) -> Set<String> {
            Set(document.streams.filter { $0.codecType == kind }.compactMap(\.codecName))
        }
        (sound, subtitles) = (codecs("audio"), codecs("subtitle"))
        var filters: [String] = []
        if let order = video.fieldOrder, ["tt", "bb", "tb", "bt"].contains(order) {
            filters.append("yadif=deint=interlaced")
        }
        if let shape = video.sampleAspectRatio.flatMap(Self.ratio), shape > 0, shape != 1 {
            filters += ["scale=trunc(iw*sar/2)*2:ih", "setsar=1"]
        }
        // The filter is omitted if nothing must be converted: it copies every frame, which takes a fifth of the
        // decoding time.
        let isLimited = video.pixFmt == "yuv420p" && [nil, "tv", "unknown"].contains(video.colorRange)
        if !isLimited { filters.append("scale=out_range=tv") }
        self.filters = filters
        let known: [(String, String?)] = [
            ("-color_primaries", video.colorPrimaries), ("-color_trc", video.colorTransfer),
            ("-colorspace", video.colorSpace),
        ]
        colors =
            [("-color_range", "tv")]
            + known.compactMap { option, value in
                value.flatMap { ["unknown", "reserved", "gbr"].contains($0) ? nil : (option, $0) }
            }
        let stamps = try Self.stamps(path, container, stream)
        let first = stamps.times.first ?? 0
        times = stamps.times.map { $0 - first }
        // Matroska stores the end of a stream, but not the duration of a frame. With sound, the file can end after the
        // video.
        let end = container == .matroska ? video.end ?? (sound.isEmpty ? document.format?.end : nil) : nil
        let untilEnd = end.flatMap { end in stamps.times.last.map { end - $0 } }
        lastDuration = [stamps.lastDuration, untilEnd].compactMap(\.self).max()
        copyright = Self.copyright(document.format?.tags ?? [:])
        start = max(0, first - (document.format?.startTime.flatMap(Double.init) ?? 0))
    }

    /// The arguments that make ffmpeg or ffprobe open this file, and nothing else.
    static func input(_ path: String, _ container: MediaContainer) -> [String] {
        container.options + ["-i", "file:\(path)"]
    }

    /// The arguments that name this file as an input.
    var input: [String] { Self.input(path, container) }

    /// Starts ffmpeg to write the frames as Y4M.
    func frames() throws(ReframeFailure) -> ChildProgram {
        let arguments =
            ["-nostdin", "-v", "error"] + input
            + ["-map", "0:\(stream)"] + (filters.isEmpty ? [] : ["-vf", filters.joined(separator: ",")])
            + ["-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "pipe:1"]
        return try ChildProgram("ffmpeg", arguments, for: path, reads: true)
    }

    /// The presentation times of the frames that a player shows, in seconds, and the duration of the last frame.
    private static func stamps(
        _ path: String,
        _ container: MediaContainer,
        _ stream: Int
    ) throws(ReframeFailure) -> (times: [Double], lastDuration: Double?) {
        let arguments = [
            "-select_streams", "\(stream)", "-show_entries", "packet=pts_time,dts_time,duration_time,flags", "-of",
            "csv=print_section=0",
        ]
        let lines = try probe(path, container, arguments).split(separator: UInt8(ascii: "\n"))
        var packets: [(shown: Double?, decoded: Double?, duration: Double?)] = []
        for line in lines.prefix(maxFrames) {
            let fields = String(decoding: line, as: UTF8.self).bytes.split(
                separator: ",",
                omittingEmptySubsequences: false
            )
            // D marks packets that an edit list removes.
            guard fields.count >= 4, !fields[3].utf8.contains(UInt8(ascii: "D")) else { continue }
            packets.append((Double(fields[0]), Double(fields[1]), Double(fields[2])))
        }
        // Some formats contain only decoding times; in ascending order, they equal the presentation times.
        let isComplete = packets.allSatisfy { $0.shown != nil }
        let known = packets.compactMap { packet in (isComplete ? packet.shown : packet.decoded).map { ($0, packet) } }
        guard known.count == packets.count, let last = known.max(by: { $0.0 < $1.0 }) else { return ([], nil) }
        return (known.map(\.0).sorted(), isComplete ? last.1.duration : nil)
    }

    private static func copyright(_ tags: [String: String]) -> String? {
        let found = tag("copyright", of: tags) ?? tag("com.apple.quicktime.copyright", of: tags)
        guard let found else { return nil }
        var text = ""
        for scalar in found.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            guard text.utf8.count + 4 <= maxCopyright else { break }
            text.unicodeScalars.append(scalar)
        }
        return text.isEmpty ? nil : text
    }

    /// The value of a tag; nil without the tag.
    ///
    /// Its name is in lower case, or in upper case, as in Matroska.
    fileprivate static func tag(_ name: String, of tags: [String: String]) -> String? {
        let letters = [Array(name.utf8), Array(name.bytes.uppercased().utf8)]
        return tags.first { key, _ in
            key.utf8.count == name.utf8.count && letters.contains { key.utf8.elementsEqual($0) }
        }?.value
    }

    private static func probe(
        _ path: String,
        _ container: MediaContainer,
        _ arguments: [String]
    ) throws(ReframeFailure) -> [UInt8] {
        let input = input(path, container)
        let child = try ChildProgram("ffprobe", ["-v", "error"] + input + arguments, for: path, reads: true)
        var (bytes, reader) = ([UInt8](), child.reader)
        do {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = try reader.fill(&chunk), count > 0 { bytes += chunk[..<count] }
        } catch {
            throw .video(path, reason: "\(error)")
        }
        try child.finish()
        return bytes
    }

    /// A ratio such as `30000/1001` or `4:3`; nil without two numbers, or if a number is 0.
    private static func ratio(_ text: String) -> Double? {
        let parts = text.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }.compactMap {
            Double(Substring($0))
        }
        guard parts.count == 2, parts[1] != 0, (parts[0] / parts[1]).isFinite else { return nil }
        return parts[0] / parts[1]
    }

    // The members have ffprobe's names, without the underscores.

    private struct Document: Decodable {
        var streams: [Stream]
        var format: Container?
    }

    private struct Container: Decodable {
        var startTime, duration: String?
        var tags: [String: String]?

        /// The end of a Matroska file in seconds.
        var end: Double? { duration.flatMap(Double.init) }
    }

    private struct Stream: Decodable {
        var index: Int
        var codecType, codecName, avgFrameRate, rFrameRate, fieldOrder, sampleAspectRatio, pixFmt: String?
        var colorRange, colorTransfer, colorPrimaries, colorSpace: String?
        var disposition: Disposition?
        var tags: [String: String]?

        /// The end of a stream of Matroska in seconds, from a tag such as `00:00:07.960000000`.
        var end: Double? {
            guard let text = MediaFile.tag("duration", of: tags ?? [:]), text.utf8.count < 32 else { return nil }
            let parts = text.bytes.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
            guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else {
                return nil
            }
            let end = hours * 3600 + minutes * 60 + seconds
            return (0...1e7).contains(end) ? end : nil
        }
    }

    private struct Disposition: Decodable {
        var attachedPic: Int?
    }
}
