import Encodings
import Fetching
import FoundationEssentials
import Geometry
import Glibc
import Imaging
import Synchronization
import UntrustedText

/// A video file that ffmpeg encodes from frames, with the sound and the subtitles of the source.
///
/// It is written under a temporary name in the same folder and renamed when complete; a failure removes it.
final class MediaOutput {
    /// The containers, by the suffix of a file's name.
    enum Container: String, CaseIterable {
        case mp4, m4v, mov, mkv, webm

        /// The container of a path; nil for other suffixes.
        init?(path: String) {
            guard let suffix = path.bytes.split(separator: ".").last, path.bytes.contains(".") else { return nil }
            self.init(rawValue: suffix.bytes.lowercased())
        }

        fileprivate var format: String {
            switch self {
            case .mp4, .m4v: "mp4"
            case .mov: "mov"
            case .mkv: "matroska"
            case .webm: "webm"
            }
        }

        fileprivate var encoder: [String] {
            switch self {
            case .webm:
                [
                    "-c:v", "libvpx-vp9", "-crf", "32", "-b:v", "0", "-deadline", "good", "-cpu-used", "5", "-row-mt",
                    "1",
                ]
            default: ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20"]
            }
        }

        /// Options that set the same time base in the encoder and in the file; ``held(_:)`` uses this time base.
        fileprivate var ticks: [String] {
            switch self {
            case .mkv, .webm: ["-enc_time_base", "1:1000"]
            case .mp4, .m4v, .mov: ["-enc_time_base", "1:100000", "-video_track_timescale", "100000"]
            }
        }

        /// Whether the container can store sound or subtitles of a codec without re-encoding.
        fileprivate func holds(_ codec: String) -> Bool {
            switch self {
            case .mkv: true
            case .webm: ["opus", "vorbis", "webvtt"].contains(codec)
            case .mp4, .m4v, .mov: ["aac", "mp3", "ac3", "eac3", "alac", "opus", "flac", "mov_text"].contains(codec)
            }
        }

        fileprivate var sound: String { self == .webm ? "libopus" : "aac" }

        fileprivate var subtitles: String {
            switch self {
            case .mkv: "copy"
            case .webm: "webvtt"
            case .mp4, .m4v, .mov: "mov_text"
            }
        }
    }

    private let path: String
    private let part: String
    private let program: ChildProgram
    private let size: PixelSize
    private let fps: Double
    private let times: [Double]
    private var frames = 0
    private var isComplete = false

    /// The temporary files of incomplete results.
    private static let parts = Mutex<Set<String>>([])

    /// Removes the temporary files; called before a signal ends the process.
    static func removeParts() { for part in parts.withLock(\.self) { unlink(part.systemPath) } }

    /// Starts ffmpeg; `source` is the file with sound, subtitles, colours and times.
    ///
    /// With `isRedacted`, the result contains only the frames, the re-encoded sound of the source and its copyright
    /// note.
    ///
    /// - Throws: A ``ReframeFailure`` with the path.
    init(
        _ path: String,
        _ container: Container,
        size: PixelSize,
        fps: Double,
        source: MediaFile?,
        isRedacted: Bool
    ) throws(ReframeFailure) {
        guard size.width % 2 == 0, size.height % 2 == 0 else {
            throw .result(
                path,
                reason: "a video of \(size.width)×\(size.height) pixels cannot be written; expected even sides"
            )
        }
        let folder = PathParts.folder(of: path)
        self.path = path
        self.size = size
        self.fps = fps
        times = source?.times ?? []
        part = "\(folder.isEmpty ? "." : folder)/.headroom-\(getpid())-\(UUID()).part"
        var arguments = ["-nostdin", "-v", "error", "-y"]
        if let source, source.start > 0 { arguments += ["-itsoffset", source.start.text(decimals: 6)] }
        arguments += ["-f", "matroska", "-format_whitelist", "matroska", "-protocol_whitelist", "pipe", "-i", "pipe:0"]
        if let source {
            arguments += source.input
            arguments += Self.kept(of: source, in: container, isRedacted: isRedacted)
            arguments += source.colors.flatMap { [$0.option, $0.value] }
        }
        arguments += container.encoder + ["-pix_fmt", "yuv420p", "-fps_mode", "passthrough"] + container.ticks
        if let source { arguments += Self.held(source) }
        if container.format == "mp4" || container.format == "mov" { arguments += ["-movflags", "+faststart"] }
        arguments += ["-f", container.format, "file:\(part)"]
        Self.parts.withLock { [part] in _ = $0.insert(part) }
        do throws(ReframeFailure) {
            program = try ChildProgram("ffmpeg", arguments, for: path, writes: true)
        } catch {
            throw .result(path, reason: "\(error)")
        }
        try program.write(RawMatroska.header(size: size, fps: fps))
    }

    /// The options for the parts of the source that are kept in addition to its images.
    private static func kept(of source: MediaFile, in container: Container, isRedacted: Bool) -> [String] {
        let sound = source.sound.allSatisfy(container.holds) ? "copy" : container.sound
        guard isRedacted else {
            let subtitles = source.subtitles.allSatisfy(container.holds) ? "copy" : container.subtitles
            return [
                "-map", "0:v:0", "-map", "1:a?", "-map", "1:s?", "-map_metadata", "1", "-map_chapters", "1", "-c:a",
                sound,
                "-c:s", subtitles,
            ]
        }
        // A copy of the sound could contain tags in its packets and headers.
        let tags = ["-map_metadata", "-1", "-map_metadata:s", "-1", "-map_metadata:c", "-1", "-map_chapters", "-1"]
        let copyright = source.copyright.map { ["-metadata", "copyright=\($0)"] } ?? []
        return ["-map", "0:v:0", "-map", "1:a?", "-sn", "-dn"] + tags + copyright + ["-c:a", container.sound]
    }

    /// The options that keep the duration of the last frame; empty if the source does not state it.
    ///
    /// Encoders lose the durations of frames. The times imply the durations of all frames except the last.
    private static func held(_ source: MediaFile) -> [String] {
        guard let last = source.times.last, let duration = source.lastDuration, duration > 0 else { return [] }
        let before = source.times.dropLast().last ?? last - 1
        // The last packet need not contain the last frame, because some frames depend on later frames.
        let middle = (source.start + (before + last) / 2).text(decimals: 6)
        let isLast = "gt(PTS*TB,\(middle))+eq(N,\(source.times.count - 1))"
        let filter = "setts=pts=PTS:dts=DTS:duration='if(\(isLast),\(duration.text(decimals: 6))/TB,DURATION)'"
        return ["-bsf:v", filter]
    }

    deinit {
        if !isComplete { unlink(part.systemPath) }
        Self.parts.withLock { [part] in _ = $0.remove(part) }
    }

    /// Writes the next frame, which has 8 bits per sample and chroma 4:2:0.
    func write(_ frame: RawFrame) throws(ReframeFailure) {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        try program.write(RawMatroska.frame(bytes, at: time(of: frames)))
        frames += 1
    }

    /// Waits for ffmpeg, and renames the temporary file to the result's path.
    func finish() throws(ReframeFailure) {
        try program.finish()
        guard rename(part.systemPath, path.systemPath) == 0 else {
            throw .file(path, reason: SystemError.last.reason)
        }
        isComplete = true
    }

    /// The time of a frame in seconds: from the source, or at a constant rate.
    private func time(of frame: Int) -> Double {
        guard let last = times.last else { return Double(frame) / fps }
        return times.indices.contains(frame) ? times[frame] : last + Double(frame - times.count + 1) / fps
    }
}
