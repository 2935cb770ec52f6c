import Fetching

extension FetchError {
    /// Whether another attempt may succeed.
    var isTransient: Bool {
        switch self {
        case .timeout, .unresolved, .nameServerFailed, .unreachable, .incomplete, .exhausted, .busy, .overBudget: true
        case .retryLater: true
        case .originError(let status): status != 501 && status != 505 && status != 508
        case .refused(let status): status == 408 || status == 425 || status == 429
        default: false
        }
    }

    /// Whether a limit of this process caused the failure, so that an attempt may succeed after other work is finished.
    var isLocalLimit: Bool {
        switch self {
        case .busy, .overBudget: true
        default: false
        }
    }
}
