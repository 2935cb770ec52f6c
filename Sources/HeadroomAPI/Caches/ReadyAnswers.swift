import HTTPServer
import HTTPTypes
import SharedCache

/// Answers to requests as they were asked before, word for word, found without reading what they ask for.
///
/// It knows which kept picture and which headers belong to a target, as long as the picture's source is fresh; then a
/// repeated request costs two look-ups. Whether the request may be answered at all is found out before.
final class ReadyAnswers: Sendable {
    /// Everything of a request that decides its answer, but for when and by whom it is asked.
    struct Request: Hashable, Sendable {
        private let target: String
        private let accept: String?
        /// Signed requests have answers that are kept for longer.
        private let isSigned: Bool

        /// Longer words are not worth the memory.
        private static let mostBytes = 4096

        /// Nil for a request whose answer is not found this way.
        init?(_ request: ServerRequest, _ grant: Grant) {
            guard request.method == .get || request.method == .head else { return nil }
            target = request.target
            accept = request.headers[.accept]
            isSigned = grant.isSigned
            guard bytes <= Self.mostBytes else { return nil }
        }

        var bytes: Int { target.utf8.count + (accept?.utf8.count ?? 0) }
    }

    /// An answer, but for the bytes of its picture, and before what the grant takes back.
    struct Answer: Sendable {
        /// The key of the picture among results.
        let key: String
        let tag: EntityTag
        let headers: HTTPFields
        let headersOfNotModified: HTTPFields
        /// Until when the source need not be asked for, in seconds since 1970.
        let freshUntil: Int
    }

    /// The part of the budget for results that is theirs.
    static let share = 8

    /// What the headers of an answer take in memory, roughly.
    private static let bytesOfHeaders = 2048

    private let answers: ByteCache<Request, Answer>
    private let results: ResultCache
    private let now: @Sendable () -> Int

    init(_ configuration: CacheConfiguration, results: ResultCache) {
        answers = ByteCache(budget: configuration.resultBytes / Self.share)
        self.results = results
        now = configuration.now
    }

    /// The answer to a request that may be answered; the picture is nil when the client has it.
    func answer(to request: ServerRequest, _ grant: Grant) -> (response: ServerResponse, picture: KeptPicture?)? {
        guard answers.isEnabled, let key = Request(request, grant), let answer = answers.value(for: key),
            answer.freshUntil > now()
        else { return nil }
        if NoneMatch.holds(request.headers[.ifNoneMatch], for: answer.tag) {
            return (ServerResponse(status: .notModified, headers: answer.headersOfNotModified), nil)
        }
        guard let picture = results.picture(for: answer.key) else { return nil }
        return (ServerResponse(status: .ok, headers: answer.headers, body: picture.bytes), picture)
    }

    /// Remembers an answer.
    func keep(_ answer: Answer, for request: ServerRequest, _ grant: Grant) {
        guard answers.isEnabled, answer.freshUntil > now(), let key = Request(request, grant) else { return }
        answers.store(answer, for: key, bytes: key.bytes + Self.bytesOfHeaders)
    }
}
