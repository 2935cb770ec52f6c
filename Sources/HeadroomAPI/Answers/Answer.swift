import FramePipeline
import HTTPServer
import HTTPTypes
import ImageCodec

/// Successful answers: an image, or a JSON document; what caches are told is added by ``CachingHeaders``.
enum Answer {
    /// A picture with what decided it.
    static func image(_ picture: KeptPicture, isNegotiated: Bool) -> ServerResponse {
        var headers = headers(contentType: picture.format.mediaType, isNegotiated: isNegotiated)
        headers[.headroomDecision] = picture.decision
        headers[.headroomFaces] = picture.faces.map { "\($0)" }
        return ServerResponse(status: .ok, headers: headers, body: picture.bytes)
    }

    /// The plan or the list of faces.
    static func document(
        _ document: PlanDocument,
        of result: FrameResult,
        fetch: Duration?,
        isNegotiated: Bool
    ) -> ServerResponse {
        var headers = headers(contentType: "application/json", isNegotiated: isNegotiated)
        headers[.headroomDecision] = document.decision
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: JSONDocument.bytes(of: document))
    }

    /// The plan as markup.
    static func snippet(_ snippet: PictureSnippet, of result: FrameResult, fetch: Duration?) -> ServerResponse {
        var headers = headers(contentType: "text/html; charset=utf-8", isNegotiated: false)
        headers[.headroomDecision] = result.plan.crops.first?.decision
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: Array(snippet.html.utf8))
    }

    /// A file for every face and the list of them.
    static func archive(of result: FrameResult, fetch: Duration?, isNegotiated: Bool) throws(Problem) -> ServerResponse
    {
        var headers = headers(contentType: "application/zip", isNegotiated: isNegotiated)
        headers[.contentDisposition] = "attachment; filename=\"faces.zip\""
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: try FaceArchive.bytes(of: result))
    }

    /// A part for every face and one for the list of them.
    static func parts(
        of result: FrameResult,
        boundary: String,
        fetch: Duration?,
        isNegotiated: Bool
    ) -> ServerResponse {
        let body = FaceParts.body(of: result, boundary: boundary)
        var headers = headers(contentType: body.contentType, isNegotiated: isNegotiated)
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: body.bytes)
    }

    private static func headers(contentType: String, isNegotiated: Bool) -> HTTPFields {
        var headers: HTTPFields = [.contentType: contentType]
        if isNegotiated { headers[.vary] = "Accept" }
        return headers
    }

    private static func describe(_ result: FrameResult, fetch: Duration?, in headers: inout HTTPFields) {
        if result.plan.detector != nil { headers[.headroomFaces] = "\(result.plan.faces.count)" }
        time(result, fetch: fetch, in: &headers)
    }

    /// Tells how long each stage took.
    static func time(_ result: FrameResult, fetch: Duration?, in headers: inout HTTPFields) {
        var stages = result.times.all.map { ($0.stage.rawValue, $0.time) }
        if let fetch { stages.insert(("fetch", fetch), at: 1) }
        headers[.serverTiming] =
            stages
            .map { "\($0.0);dur=\(($0.1 / .milliseconds(1) * 100).rounded() / 100)" }
            .joined(separator: ", ")
    }
}
