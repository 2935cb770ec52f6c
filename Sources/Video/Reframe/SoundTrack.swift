/// Reads the sound of a video for its loudness.
enum SoundTrack {
    /// Samples a second: enough for speech, whose energy is below 4 kHz.
    private static let rate = 8000
    /// The maximum duration that is read, in seconds.
    private static let maxSeconds = 86_400.0

    /// The loudness of a video's first sound track, with frame `n` at `n / fps`; nil if ffmpeg decodes no sound track.
    static func loudness(of media: MediaFile, fps: Double) -> Loudness? {
        guard !media.sound.isEmpty else { return nil }
        let arguments =
            ["-nostdin", "-v", "error"] + media.input
            + [
                "-map", "0:a:0", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le",
                "pipe:1",
            ]
        guard let child = try? ChildProgram("ffmpeg", arguments, for: media.path, reads: true) else { return nil }
        var (levels, rest, reader) = ([Double](), [UInt8](), child.reader)
        let bytes = 2 * Int(Loudness.step * Double(rate))
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        do {
            while case let count = try reader.fill(&chunk), count > 0,
                Double(levels.count) * Loudness.step < maxSeconds
            {
                rest += chunk[..<count]
                let whole = rest.count / bytes * bytes
                let samples = stride(from: 0, to: whole, by: 2).map {
                    Int16(bitPattern: UInt16(rest[$0]) | UInt16(rest[$0 + 1]) << 8)
                }
                levels += Loudness(samples: samples, rate: rate).levels
                rest.removeFirst(whole)
            }
            // Sound beyond the limit is not read.
            if Double(levels.count) * Loudness.step < maxSeconds { try child.finish() } else { child.stop() }
        } catch {
            return nil
        }
        return Loudness(levels: shifted(levels, media, fps))
    }

    /// The levels moved to a constant frame rate: frame `n` is at `n / fps`, regardless of its time in the file.
    private static func shifted(_ levels: [Double], _ media: MediaFile, _ fps: Double) -> [Double] {
        guard let last = media.times.last, media.times.count > 1 else {
            return Array(levels.dropFirst(Int(media.start / Loudness.step)))
        }
        let seconds = Double(media.times.count) / fps
        return (0..<Int(min(maxSeconds, seconds) / Loudness.step)).map { step in
            let place = Double(step) * Loudness.step * fps
            let frame = min(media.times.count - 1, Int(place))
            let next = frame + 1 < media.times.count ? media.times[frame + 1] : last + 1 / fps
            let time = media.start + media.times[frame] + (place - Double(frame)) * (next - media.times[frame])
            let index = Int(min(max(0, time / Loudness.step), 1e9))
            return index < levels.count ? levels[index] : -100
        }
    }
}
