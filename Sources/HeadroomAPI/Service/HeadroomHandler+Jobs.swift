import HTTPServer
import HTTPTypes
package import Requests

/// Runs requests that come without HTTP, by the rules of a `POST`.
extension HeadroomHandler: PictureHandler {
    /// The reply to a request, which may be a problem, and the plan of a result.
    package func reply(to job: PipeRequest) async -> PictureReply {
        let request = ServerRequest(method: .post, target: job.path)
        var entry = log.begin(request, route: Route(path: job.path))
        do throws(Problem) {
            let exchange = try Exchange(job, as: request, deadline: request.acceptedAt + queueTimeout)
            let (response, plan) = try await response(to: exchange, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            let document = plan.map { PlanDocument($0, crops: exchange.showsCrops) }
            return PictureReply(status: response.status, headers: response.headers, body: response.body, plan: document)
        } catch {
            _ = refusal(error, log: &entry)
            return error.reply
        }
    }
}
