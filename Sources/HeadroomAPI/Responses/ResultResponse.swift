import BinaryCoding
import Caching
import Framing
import HTTPServer
import HTTPTypes
import Imaging
import Pipeline
import Requests

/// Successful responses to picture requests, before ``CachingHeaders`` adds the caching fields.
enum ResultResponse {
    /// A picture with its decision.
    static func image(_ picture: CachedPicture) -> ServerResponse {
        var headers: HTTPFields = [.contentType: picture.format.mediaType]
        headers[.headroomDecision] = picture.decision?.description
        headers[.headroomFaces] = picture.faces.map { "\($0)" }
        headers[.headroomQuality] = picture.quality.map { "\($0)" }
        headers[.headroomRedacted] = picture.redacted.map { "\($0)" }
        headers[.headroomKey] = picture.key?.word
        return ServerResponse(status: .ok, headers: headers, body: picture.bytes)
    }

    /// The plan or the list of faces.
    static func document(_ document: PlanDocument, of result: FrameResult, fetch: Duration?) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.headroomDecision] = document.decision
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: JSONDocument.bytes(of: document))
    }

    /// A document in the format of another service.
    static func document(_ bytes: [UInt8], of result: FrameResult, fetch: Duration?) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.headroomDecision] = result.plan.crops.first?.decision.description
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: bytes)
    }

    /// The focal point, also in the formats of other services.
    static func focus(_ document: FocusDocument, of result: FrameResult, fetch: Duration?) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.headroomDecision] = document.decision
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: JSONDocument.bytes(of: document))
    }

    /// The plan as markup.
    static func snippet(_ snippet: PictureSnippet, of result: FrameResult, fetch: Duration?) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        headers[.headroomDecision] = result.plan.crops.first?.decision.description
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: Array(snippet.html.utf8))
    }

    /// A ZIP archive with a picture of each face and their list.
    static func archive(of result: FrameResult, fetch: Duration?) throws(Problem) -> ServerResponse {
        var headers: HTTPFields = [.contentType: "application/zip"]
        headers[.contentDisposition] = "attachment; filename=\"faces.zip\""
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: try FaceArchive.bytes(of: result))
    }

    /// A multipart body with a picture of each face and their list.
    static func parts(of result: FrameResult, boundary: String, fetch: Duration?) -> ServerResponse {
        let body = FaceParts.body(of: result, boundary: boundary)
        var headers: HTTPFields = [.contentType: body.contentType]
        describe(result, fetch: fetch, in: &headers)
        return ServerResponse(status: .ok, headers: headers, body: body.bytes)
    }

    private static func describe(_ result: FrameResult, fetch: Duration?, in headers: inout HTTPFields) {
        if result.plan.detector != nil { headers[.headroomFaces] = "\(result.plan.faces.count)" }
        headers[.headroomRedacted] = result.plan.coveredHeads.map { "\($0)" }
        headers[.headroomKey] = result.plan.borderKey?.word
        time(result, fetch: fetch, in: &headers)
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

/// An encoded picture with the data of its header fields.
struct CachedPicture: Sendable {
    /// The data of the header fields.
    private struct Head: Codable {
        var format: ImageFormat
        var decision: Decision?
        var faces: Int?
        var quality: Int?
        var redacted: Int?
        var key: BorderKey?
    }

    let format: ImageFormat
    let bytes: [UInt8]
    /// The decision of the crop; nil for a whole picture.
    let decision: Decision?
    /// The number of faces; nil without detection.
    let faces: Int?
    /// The quality that was chosen to meet a limit of bytes; nil otherwise.
    let quality: Int?
    /// The number of heads that redaction covers; nil if no heads were to be covered.
    let redacted: Int?
    /// The border colour that `key=auto` found; nil without it.
    let key: BorderKey?

    /// The picture of a result; nil when the result has none or several.
    init?(_ result: FrameResult, route: PictureRoute) {
        guard let image = result.image else { return nil }
        format = image.format
        bytes = image.bytes
        decision = route == .faces ? nil : result.plan.crops.first?.decision
        faces = result.plan.detector == nil ? nil : result.plan.faces.count
        quality = image.quality
        redacted = result.plan.coveredHeads
        key = result.plan.borderKey
    }

    /// Memory of the picture, in bytes.
    var cost: Int { bytes.count + 128 }

    /// The record of the picture in a shared store; nil when encoding fails.
    var record: SharedRecord? {
        let head = Head(
            format: format,
            decision: decision,
            faces: faces,
            quality: quality,
            redacted: redacted,
            key: key
        )
        return (try? BinaryCoder.bytes(of: head)).map { SharedRecord(head: $0, body: bytes) }
    }

    /// Validates the record of a picture; records are untrusted.
    init?(_ record: SharedRecord) {
        guard let head = try? BinaryCoder.value(Head.self, from: record.head),
            ImageFormat.sniff(record.body) == head.format, head.faces.map({ $0 >= 0 }) ?? true,
            head.quality.map({ (1...100).contains($0) }) ?? true, head.redacted.map({ $0 >= 0 }) ?? true
        else { return nil }
        format = head.format
        bytes = record.body
        decision = head.decision
        faces = head.faces
        quality = head.quality
        redacted = head.redacted
        key = head.key
    }
}
