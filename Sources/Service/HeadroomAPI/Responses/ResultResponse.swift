import Framing
import BinaryCoding
import HTTPServer
import HTTPTypes
import Imaging
import Pipeline
import Requests

/// Successful responses to picture requests, before ``CachingHeaders`` adds the caching fields.
enum ResultResponse {
    static func image(_ picture: CachedPicture) -> ServerResponse {
        let head = picture.head
        var headers: HTTPFields = [.contentType: head.format.mediaType]
        headers[.headroomDecision] = head.decision?.description
        headers[.headroomFaces] = head.faces.map { "\($0)" }
        headers[.headroomQuality] = head.quality.map { "\($0)" }
        headers[.headroomRedacted] = head.redacted.map { "\($0)" }
        headers[.headroomKey] = head.key?.word
        return ServerResponse(status: .ok, headers: headers, body: picture.bytes)
    }

    /// Any other form of a result.
    static func body(
        _ bytes: [UInt8],
        _ mediaType: String,
        disposition: String? = nil,
        decision: String? = nil,
        of result: FrameResult,
        fetch: Duration?
    ) -> ServerResponse {
        var headers: HTTPFields = [.contentType: mediaType]
        headers[.contentDisposition] = disposition
        headers[.headroomDecision] = decision
        if result.plan.detector != nil { headers[.headroomFaces] = "\(result.plan.faces.count)" }
        headers[.headroomRedacted] = result.plan.coveredHeads.map { "\($0)" }
        headers[.headroomKey] = result.plan.borderKey?.word
        time(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: bytes)
    }

    /// Adds the name under which browsers save the response.
    static func name(_ response: inout ServerResponse, _ download: DownloadName?) {
        guard let download, let type = response.headers[.contentType].flatMap(MediaType.init) else { return }
        let others = ["application/json": "json", "text/html": "html", "application/zip": "zip"]
        let format = ImageFormat.allCases.first { $0.mediaType == type.essence }
        guard let name = format?.fileExtensions[0] ?? others[type.essence] else { return }
        response.headers[.contentDisposition] = download.disposition(name)
    }

    /// Adds `Server-Timing` with the duration of each stage.
    static func time(_ result: FrameResult, fetch: Duration?, in headers: inout HTTPFields) {
        var stages = result.times.all.map { ($0.stage.rawValue, $0.time) }
        if let fetch { stages.insert(("fetch", fetch), at: 1) }
        headers[.serverTiming] =
            stages
            .map { "\($0.0);dur=\(($0.1 / .milliseconds(1) * 100).rounded() / 100)" }
            .joined(separator: ", ")
    }
}
