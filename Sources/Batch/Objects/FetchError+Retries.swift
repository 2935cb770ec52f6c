import Fetching

extension FetchError {
    /// Whether another try may succeed.
    var mayPass: Bool {
        switch self {
        case .timeout, .unresolved, .unreachable, .incomplete, .exhausted, .busy, .overBudget: true
        case .originError(let status): status != 501 && status != 505 && status != 508
        case .refused(let status): status == 408 || status == 425 || status == 429
        default: false
        }
    }

    /// Whether this process' own limits were in the way, which pass when other work is done.
    var isOwn: Bool {
        switch self {
        case .busy, .overBudget: true
        default: false
        }
    }
}
