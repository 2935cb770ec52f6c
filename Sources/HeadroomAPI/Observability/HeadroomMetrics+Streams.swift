import Telemetry

extension HeadroomMetrics {
    /// Metrics of live streams.
    static let streaming = [streams, streamFrames, streamDelay, streamEnds]

    static let streams = MetricDescription("headroom_streams", .gauge, help: "Live streams in progress.")
    static let streamFrames = MetricDescription(
        "headroom_stream_frames_total",
        .counter,
        labels: ["outcome"],
        help: "Frames of live streams: sent, dropped because newer ones came or no worker was free, or damaged."
    )
    static let streamDelay = MetricDescription(
        "headroom_stream_delay_seconds",
        durationHistogram,
        help: "Time from the arrival of a frame to its departure, in seconds."
    )
    static let streamEnds = MetricDescription(
        "headroom_stream_ends_total",
        .counter,
        labels: ["reason"],
        help: "Live streams that ended, by reason."
    )
}
