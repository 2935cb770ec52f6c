package import HTTPServer

/// Runs jobs that come without HTTP, by the rules of requests.
extension HeadroomHandler {
    /// The response to a job, as to a `POST`.
    ///
    /// - Parameter job: A route, parameters and bytes.
    /// - Returns: The response, which may be a problem, and the plan of a result.
    package func response(to job: DirectJob) async -> (response: ServerResponse, plan: PlanDocument?) {
        var entry = log.begin(job.request, route: job.route)
        do throws(Problem) {
            let exchange = try Exchange(job, deadline: job.request.acceptedAt + queueTimeout)
            let (response, plan) = try await response(to: exchange, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            return (response, plan.map { PlanDocument($0, crops: exchange.showsCrops) })
        } catch {
            return (refusal(error, log: &entry), nil)
        }
    }
}
