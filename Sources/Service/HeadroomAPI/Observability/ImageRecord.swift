package import Fetching
import Framing
import Geometry
import Imaging
import Pipeline

/// The outcome of a request's image, for its log line, the metrics and the spans.
package struct ImageRecord: Sendable {
    /// The trace of the request, if any.
    package let trace: TraceContext?
    /// Whether fetches get their own spans, which are exported.
    private let exportsSpans: Bool

    /// The name of the preset; nil without a preset.
    package var preset: String?
    /// The deprecated names in the request, formatted as in the header `Headroom-Deprecated`; nil for none.
    var deprecated: String?
    /// The internal cause of a failure, which the response does not contain.
    package var failure: String?
    /// The origin of the image that replaced a missing source; nil if nothing was replaced.
    var fallbackImage: FallbackImage.Origin?
    /// The duration of the fetch, successful or not.
    var fetch: Duration?
    private(set) var times: StageTimes?
    private(set) var decisions: [Decision] = []
    /// The number of faces; nil without detection.
    private(set) var faces: Int?
    /// The detectors that found each face; set only for the request that ran the search.
    private(set) var finders: [Face.Finders] = []

    /// The format of the source; set only for the request that ran the job.
    private(set) var inputFormat: InputFormat?
    /// The formats of the encoded images and videos; set only for the request that ran the job.
    private(set) var formats: [String] = []
    /// The requested effects other than the crop; set only for the request that ran the job.
    private(set) var effects: [ImageEffect] = []

    /// A fetch of the source or the backdrop.
    struct Fetch {
        let spanID: String
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
        let host: String?
        let use: String?
        let failure: String?
    }

    /// The fetches of sources that were not cached or not fresh, including failed ones.
    private(set) var fetches: [Fetch] = []
    /// The span of a fetch that is in progress, and its start.
    private var openFetch: (spanID: String, start: ContinuousClock.Instant)?
    /// The end of the job; set only for the request that ran the job.
    private(set) var jobEnd: ContinuousClock.Instant?

    private(set) var source: PixelSize?
    private(set) var origin: SourceCache.Use?
    private(set) var scheme: String?
    /// The host or the bucket of the source; after a failure, the host or bucket of the failed source or backdrop.
    private(set) var host: String?
    /// `hit` or `joined`; nil for a computed result.
    private(set) var cache: String?

    /// Creates an empty record.
    ///
    /// - Parameters:
    ///   - trace: The trace that contains the fetches; nil for none.
    ///   - exportsSpans: Whether fetches get their own spans in the trace.
    init(trace: TraceContext? = nil, exportsSpans: Bool = false) {
        self.trace = trace
        self.exportsSpans = exportsSpans
    }

    /// Records the kind of the source's URL, and its host.
    package mutating func describe(_ url: SourceURL) {
        scheme = url.scheme
        host = url.place
    }

    /// Starts a fetch.
    ///
    /// - Returns: The `traceparent` of the fetch; nil without a trace. The parent is the span of the request, unless
    ///   the fetch is exported as its own span.
    mutating func beginFetch() -> String? {
        guard exportsSpans, let trace else { return trace?.traceParent }
        let spanID = TraceContext.newSpanID()
        openFetch = (spanID, .now)
        return trace.traceParent(of: spanID)
    }

    /// Ends a fetch.
    ///
    /// A source that was cached and fresh does not get a span.
    mutating func endFetch(of url: SourceURL, _ use: SourceCache.Use?, failure: String? = nil) {
        guard let (spanID, start) = openFetch else { return }
        openFetch = nil
        guard use != .fresh else { return }
        let (host, use) = (url.place, use?.rawValue)
        fetches.append(Fetch(spanID: spanID, start: start, end: .now, host: host, use: use, failure: failure))
    }

    /// Restores the failure and the host from a copy of the record that was made before the fetch of a fallback image.
    mutating func keepFailure(of record: ImageRecord) {
        failure = record.failure
        scheme = record.scheme
        host = record.host
        fetch = record.fetch
    }

    mutating func describe(_ error: FetchError, of url: SourceURL) {
        host = url.place
        failure = "\(error)"
        endFetch(of: url, nil, failure: failure)
    }

    /// Records how the source cache was used, and the time taken.
    mutating func describe(_ use: SourceCache.Use, after time: Duration) {
        origin = use
        if use != .fresh { fetch = time }
    }

    /// Records a cache hit; `image` is nil for a 304.
    mutating func describe(cached image: CachedImage?) {
        decisions = image?.head.decision.map { [$0] } ?? []
        faces = image?.head.faces
        cache = "hit"
    }

    /// Records a result, and its decisions if the response shows crops.
    ///
    /// Stage times are recorded only for the request that ran the job.
    mutating func describe(_ result: FrameResult, of options: FrameOptions, showsCrops: Bool, isJoined: Bool) {
        if isJoined {
            cache = "joined"
        } else {
            times = result.times
            jobEnd = .now
            inputFormat = result.plan.source.format
            formats = result.images.map(\.formatName)
            effects = ImageEffect.all(of: options)
        }
        decisions = showsCrops ? result.plan.crops.map(\.decision) : []
        faces = result.plan.detector == nil ? nil : result.plan.faces.count
        if !isJoined, result.plan.detector?.isKnown == false { finders = result.plan.faces.map(\.finders) }
        source = result.plan.source.size
    }
}
