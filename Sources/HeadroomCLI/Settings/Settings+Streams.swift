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
