import Foundation
import Imaging
import Motion

/// Reads the sound of a video for its loudness.
enum SoundTrack {
    /// Samples a second; speech has its loudness below 4 kHz.
    private static let rate = 8000
    /// The most seconds that are read.
    private static let mostSeconds = 86_400.0

    /// The loudness of a video's first sound track, at the times of its frames; nil if there is none, or if ffmpeg does not
    /// decode it.
    ///
    /// - Parameters:
    ///   - media: The video.
    ///   - fps: Frames a second, by which frames have their times.
    /// - Returns: The loudness.
    static func loudness(of media: MediaFile, fps: Double) -> Loudness? {
        guard !media.sound.isEmpty else { return nil }
        let arguments =
            ["-nostdin", "-v", "error"] + MediaFile.input(media.path)
            + [
                "-map", "0:a:0", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "\(rate)", "-f", "s16le",
                "pipe:1",
            ]
        guard let child = try? ChildProgram("ffmpeg", arguments, reads: true) else { return nil }
        var (levels, rest, reader) = ([Double](), [UInt8](), child.reader)
        let bytes = 2 * Int(Loudness.step * Double(rate))
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        do {
            while case let count = try reader.fill(&chunk), count > 0,
                Double(levels.count) * Loudness.step < mostSeconds
            {
                rest += chunk[..<count]
                let whole = rest.count / bytes * bytes
                let samples = stride(from: 0, to: whole, by: 2).map {
                    Int16(bitPattern: UInt16(rest[$0]) | UInt16(rest[$0 + 1]) << 8)
                }
                levels += Loudness(samples: samples, rate: rate).levels
                rest.removeFirst(whole)
            }
            try child.finish()
        } catch {
            return nil
        }
        return Loudness(levels: shifted(levels, media, fps))
    }

    /// The levels at the times that frames have by their numbers, which differ from their own where the rate varies.
    private static func shifted(_ levels: [Double], _ media: MediaFile, _ fps: Double) -> [Double] {
        guard let last = media.times.last, media.times.count > 1 else {
            return Array(levels.dropFirst(Int(media.start / Loudness.step)))
        }
        let seconds = Double(media.times.count) / fps
        return (0..<Int(min(mostSeconds, seconds) / Loudness.step)).map { step in
            let place = Double(step) * Loudness.step * fps
            let frame = min(media.times.count - 1, Int(place))
            let next = frame + 1 < media.times.count ? media.times[frame + 1] : last + 1 / fps
            let time = media.start + media.times[frame] + (place - Double(frame)) * (next - media.times[frame])
            let index = Int(min(max(0, time / Loudness.step), 1e9))
            return index < levels.count ? levels[index] : -100
        }
    }
}
