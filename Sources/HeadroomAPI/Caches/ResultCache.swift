import FramePipeline
import SharedCache

/// Makes results, and no result twice.
///
/// Pictures are kept by the digest of everything that decides their bytes; plans are not, for they tell how long the work
/// took, and cost little once the faces are known. Equal requests at the same time share one job, whatever they ask for.
final class ResultCache: Sendable {
    /// A result that was made for this request, or for another one that was there already.
    struct Made: Sendable {
        let result: FrameResult
        /// Whether faces could not be looked for, so that it is not to be kept.
        let isDegraded: Bool
        /// What went wrong with that.
        let failure: String?
    }

    /// Why there is no result.
    struct Refused: Error {
        let problem: Problem
        /// What really went wrong.
        let failure: String?
    }

    /// A result.
    enum Found: Sendable {
        case kept(KeptPicture, isShared: Bool)
        case made(Made, isJoined: Bool)
    }

    private enum Arrived: Sendable {
        case kept(KeptPicture, isShared: Bool)
        case made(Result<Made, Refused>)
    }

    /// How long processes share a picture: a day, as caches are told of it.
    private static let lifetime = Duration.seconds(86_400)

    private let cache: TieredCache<KeptPicture>
    private let flights = Flights<String, Arrived>()

    init(_ configuration: CacheConfiguration, store: (any SharedStore)?) {
        cache = TieredCache(
            name: "result",
            budget: configuration.resultBytes - configuration.resultBytes / ReadyAnswers.share,
            store: store,
            coding: .init(lifetime: Self.lifetime) {
                $0.record
            } decode: {
                KeptPicture($0).map { ($0, $0.cost) }
            }
        )
    }

    /// Whether anything is kept.
    var isEnabled: Bool { cache.isEnabled }

    /// What it has done, and holds.
    var statistics: CacheStatistics {
        var statistics = cache.statistics
        statistics.joined = flights.joined
        return statistics
    }

    /// A picture in memory.
    func picture(for key: String) -> KeptPicture? { cache.value(for: key) }

    /// A result: one that is kept, or one that is made now, or is being made.
    ///
    /// - Parameters:
    ///   - key: The digest of everything that decides it.
    ///   - picture: The picture of a result that may be kept; nil when the answer is none.
    ///   - make: Makes it.
    /// - Returns: The result, and how it came about.
    /// - Throws: ``Refused``.
    func result(
        for key: String,
        picture: (@Sendable (FrameResult) -> KeptPicture?)?,
        make: @escaping @Sendable () async -> Result<Made, Refused>
    ) async throws(Refused) -> Found {
        guard isEnabled else { return .made(try await make().get(), isJoined: false) }
        if picture != nil, let kept = cache.value(for: key) { return .kept(kept, isShared: false) }
        let arrival = await flights.join(key) { [self] in
            if picture != nil, let (kept, isShared) = await cache.missedValue(for: key) {
                return .kept(kept, isShared: isShared)
            }
            let outcome = await make()
            if case .success(let made) = outcome, !made.isDegraded, let kept = picture?(made.result) {
                cache.keep(kept, for: key, bytes: kept.cost)
            }
            return .made(outcome)
        }
        switch arrival?.value {
        case .kept(let picture, let isShared): return .kept(picture, isShared: isShared)
        case .made(let outcome): return .made(try outcome.get(), isJoined: arrival?.isJoined == true)
        case nil: throw Refused(problem: Problem(PipelineError.cancelled), failure: "the client has left")
        }
    }
}
