import HeadroomAPI

/// The settings of live streams.
extension Settings {
    private static let streams = StreamConfiguration()

    static let maxStreams = Setting.integer(
        "max-streams",
        "Maximum number of live streams at the same time, 0 to turn /stream off.",
        in: 0...64,
        default: streams.maxStreams
    )
    static let maxStreamsPerAddress = Setting.integer(
        "max-streams-per-address",
        "Maximum number of live streams per client address at the same time.",
        in: 1...64,
        default: StreamConfiguration.share(of: streams.maxStreams),
        words: "three quarters of --max-streams, at least 1"
    )
    static let maxStreamsPerKey = Setting.integer(
        "max-streams-per-key",
        "Maximum number of live streams with one key or secret at the same time, if there are several.",
        in: 1...64,
        default: StreamConfiguration.share(of: streams.maxStreams),
        words: "three quarters of --max-streams, at least 1"
    )
    static let minStreamRate = Setting.integer(
        "min-stream-rate",
        "Bytes per second below which a live stream ends, on average of 30 seconds; 0 for no limit.",
        in: 0...1_000_000,
        default: streams.minBytesPerSecond
    )
    static let maxStreamTime = Setting.seconds(
        "max-stream-time",
        "Seconds after which a live stream ends.",
        default: streams.maxTime
    )
    static let maxStreamBytes = Setting.integer(
        "max-stream-bytes",
        "Bytes from the camera after which a live stream ends.",
        in: 1...1_099_511_627_776,
        default: streams.maxBytes
    )
    static let streamIdleTimeout = Setting.seconds(
        "stream-idle-timeout",
        "Seconds without a frame after which a live stream ends.",
        default: streams.idleTime
    )
}
