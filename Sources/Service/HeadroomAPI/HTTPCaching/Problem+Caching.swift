import HTTPTypes
import Requests

extension Problem {
    /// The kind of freshness.
    ///
    /// Nil if caches must not store the problem, because a later request or a different request may succeed.
    private var freshnessKind: FreshnessRules.Kind? {
        guard !isTemporary, retryAfter == nil else { return nil }
        switch kind {
        case .sourceNotFound: return .missing
        case .invalidParameter, .unsupportedImage, .unreadableImage, .tooLarge, .responseTooLarge, .noFace,
            .unsupportedOption:
            return .errors
        default: return nil
        }
    }

    /// Returns the problem with its caching fields, unless it already has caching fields.
    ///
    /// - Parameters:
    ///   - rules: The freshness of the request's kinds of responses.
    ///   - vary: The request fields that determine the response; nil for none.
    ///   - isUpload: Whether the request is a `POST`, whose rejection depends on its body.
    /// - Returns: The problem.
    func stored(by rules: FreshnessRules, vary: String?, isUpload: Bool) -> Problem {
        guard caching == nil, let kind = freshnessKind, kind == .missing || !isUpload else { return self }
        let freshness = rules.freshness(of: kind)
        var problem = self
        var fields: HTTPFields = [.cacheControl: freshness.cacheControl]
        if freshness != .noStore {
            fields[.cacheTag] = sourceTags
            if kind == .errors { fields[.vary] = vary }
        }
        problem.caching = fields
        return problem
    }
}
