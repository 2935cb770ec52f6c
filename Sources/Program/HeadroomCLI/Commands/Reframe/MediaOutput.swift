#if Video
import Encodings
import ArgumentParser
import FoundationEssentials
import Glibc
import Geometry
import Imaging
import Synchronization

/// A video file that ffmpeg encodes from frames, with the sound and the subtitles of the source.
///
/// It is written under a temporary name in the same folder and renamed when complete; a failure removes it.
final class MediaOutput {
    /// The containers, by the suffix of a file's name.
    enum Container: String, CaseIterable {
        case mp4, m4v, mov, mkv, webm

        /// The container of a path; nil for other suffixes.
        init?(path: String) {
            guard let suffix = path.split(separator: ".").last, path.contains(".") else { return nil }
            self.init(rawValue: suffix.lowercased())
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
    /// - Throws: A ``CommandFailure`` with the path.
    init(
        _ path: String,
        _ container: Container,
        size: PixelSize,
        fps: Double,
        source: MediaFile?,
        isRedacted: Bool
    ) throws(CommandFailure) {
        guard size.width % 2 == 0, size.height % 2 == 0 else {
            throw CommandFailure(
                "\(path): a video of \(size.width)×\(size.height) pixels cannot be written; expected even sides"
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
        do throws(CommandFailure) {
            program = try ChildProgram("ffmpeg", arguments, for: path, writes: true)
        } catch {
            throw CommandFailure("\(path): \(error.reasons.joined(separator: " "))")
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
    func write(_ frame: RawFrame) throws(CommandFailure) {
        var bytes: [UInt8] = []
        frame.append(to: &bytes)
        try program.write(RawMatroska.frame(bytes, at: time(of: frames)))
        frames += 1
    }

    /// Waits for ffmpeg, and renames the temporary file to the result's path.
    func finish() throws(CommandFailure) {
        try program.finish()
        guard rename(part.systemPath, path.systemPath) == 0 else {
            throw CommandFailure("\(path): \(SystemError.last.reason)")
        }
        isComplete = true
    }

    /// The time of a frame in seconds: from the source, or at a constant rate.
    private func time(of frame: Int) -> Double {
        guard let last = times.last else { return Double(frame) / fps }
        return times.indices.contains(frame) ? times[frame] : last + Double(frame - times.count + 1) / fps
    }
}

/// Frames with their times, as Matroska with uncompressed video (RFC 9559), which ffmpeg reads from a pipe.
enum RawMatroska {
    /// Nanoseconds per tick.
    private static let tick = 10_000

    static func header(size: PixelSize, fps: Double) -> [UInt8] {
        let document =
            element(0x4286, number(1)) + element(0x42F7, number(1)) + element(0x42F2, number(4))
            + element(0x42F3, number(8)) + element(0x4282, Array("matroska".utf8)) + element(0x4287, number(4))
            + element(0x4285, number(2))
        let name = Array("headroom".utf8)
        let information = element(0x2A_D7B1, number(tick)) + element(0x4D80, name) + element(0x5741, name)
        let video =
            element(0xB0, number(size.width)) + element(0xBA, number(size.height))
            + element(0x2E_B524, Array("I420".utf8))
        let track =
            element(0xD7, number(1)) + element(0x73C5, number(1)) + element(0x83, number(1)) + element(0x9C, number(0))
            + element(0x23_E383, number(Int((1e9 / fps).rounded()))) + element(0x86, Array("V_UNCOMPRESSED".utf8))
            + element(0xE0, video)
        // A segment of unknown size.
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        return element(0x1A45_DFA3, document) + segment + element(0x1549_A966, information)
            + element(0x1654_AE6B, element(0xAE, track))
    }

    /// A cluster with one frame, from the samples of its three planes and its time, 0 or later.
    static func frame(_ samples: [UInt8], at seconds: Double) -> [UInt8] {
        let time = element(0xE7, number(Int((min(max(0, seconds), 1e9) * 1e9 / Double(tick)).rounded())))
        // Track 1, the time of the cluster, a key frame.
        let block = head(0xA3, count: samples.count + 4) + [0x81, 0, 0, 0x80]
        return head(0x1F43_B675, count: time.count + block.count + samples.count) + time + block + samples
    }

    private static func element(_ identifier: UInt32, _ content: [UInt8]) -> [UInt8] {
        head(identifier, count: content.count) + content
    }

    /// An element's identifier and its size, in eight bytes.
    private static func head(_ identifier: UInt32, count: Int) -> [UInt8] {
        let name = bytes(UInt64(identifier)).drop { $0 == 0 }
        return name + [0x01] + bytes(UInt64(count)).dropFirst()
    }

    private static func number(_ value: Int) -> [UInt8] {
        let digits = Array(bytes(UInt64(max(0, value))).drop { $0 == 0 })
        return digits.isEmpty ? [0] : digits
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
}

/// A result that is written piece by piece, to a file or to standard output.
final class OutputFile {
    private let descriptor: Int32
    private let path: String?

    /// Opens a file, and truncates it; nil is standard output.
    init(_ path: String?) throws(CommandFailure) {
        self.path = path
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path.systemPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CommandFailure("\(path): \(SystemError.last.reason)") }
    }

    deinit { if path != nil { close(descriptor) } }

    /// Writes all bytes.
    ///
    /// - Throws: A ``CommandFailure``, or the `ExitCode` of a closed standard output.
    func write(_ bytes: [UInt8]) throws {
        guard let path else { return try StandardStream.output.write(bytes) }
        do throws(SystemError) {
            try LocalFile.writeAll(bytes, to: descriptor)
        } catch {
            throw CommandFailure("\(path): \(error.reason)")
        }
    }
}
#endif
