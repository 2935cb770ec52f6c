#if Video
import ArgumentParser
import HeadroomAPI
import Video
import Workers

/// The options of `headroom serve` for live streams, as text.
struct StreamOptions: ParsableArguments {
    @Option("max-streams") var maxStreams: String?
    @Option("max-streams-per-address") var maxStreamsPerAddress: String?
    @Option("max-streams-per-key") var maxStreamsPerKey: String?
    @Option("min-stream-rate") var minStreamRate: String?
    @Option("max-stream-time") var maxStreamTime: String?
    @Option("max-stream-bytes") var maxStreamBytes: String?
    @Option("stream-idle-timeout") var streamIdleTimeout: String?
}

extension ServeSettings {
    /// The limits of live streams of a service without these settings.
    static let standardStreams = StreamConfiguration()

    /// The maximum number of concurrent live streams.
    var maxStreams: Int { streams.maxStreams }

    /// Reads the limits of live streams.
    mutating func readStreams(_ options: ServeOptions, _ reader: inout SettingsReader) {
        read(ServeRows.streams, options, &reader)
        let streams = streams
        service.streams = { LiveStreams(streams, $0) }
    }
}

extension WorkerEntry {
    /// The kinds of jobs of a worker process in addition to image jobs.
    static var jobs: [any WorkerJob.Type] { [VideoJob.self] }
}

extension ServeRows {
    /// The rows of live streams.
    static let streams: [ServeSetting] = [
        .integer(
            "max-streams",
            "Maximum number of concurrent live streams. 0: /stream is disabled.",
            in: 0...64,
            \.streams.maxStreams,
            \.streams.maxStreams
        ),
        .integer(
            "max-streams-per-address",
            "Maximum number of concurrent live streams per client address.",
            in: 1...64,
            \.streams.maxStreamsPerAddress,
            \.streams.maxStreamsPerAddress,
            words: "three quarters of --max-streams, at least 1",
            default: { StreamConfiguration.share(of: $0.streams.maxStreams) }
        ),
        .integer(
            "max-streams-per-key",
            "Maximum number of concurrent live streams per key or secret, if there are several.",
            in: 1...64,
            \.streams.maxStreamsPerKey,
            \.streams.maxStreamsPerKey,
            words: "three quarters of --max-streams, at least 1",
            default: { StreamConfiguration.share(of: $0.streams.maxStreams) }
        ),
        .integer(
            "min-stream-rate",
            "Minimum input rate of a live stream in bytes per second, averaged over 30 seconds. Slower streams are ended. 0: no "
                + "limit.",
            in: 0...1_000_000,
            \.streams.minStreamRate,
            \.streams.minBytesPerSecond
        ),
        .seconds(
            "max-stream-time",
            "Maximum duration of a live stream in seconds.",
            \.streams.maxStreamTime,
            \.streams.maxTime
        ),
        .integer(
            "max-stream-bytes",
            "Maximum input of a live stream in bytes.",
            in: 1...1_099_511_627_776,
            \.streams.maxStreamBytes,
            \.streams.maxBytes
        ),
        .seconds(
            "stream-idle-timeout",
            "Time without a frame, in seconds, before a live stream is ended.",
            \.streams.streamIdleTimeout,
            \.streams.idleTime
        ),
    ]
}
#endif
