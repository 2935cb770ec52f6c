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

/// An encoded picture with the data of its header fields.
struct CachedPicture: Sendable {
    struct Head: Codable, Sendable {
        var format: ImageFormat
        /// The decision of the crop; nil for a whole picture.
        var decision: Decision?
        /// The number of faces; nil without detection.
        var faces: Int?
        /// The quality that was chosen to meet a limit of bytes; nil otherwise.
        var quality: Int?
        /// The number of heads that redaction covers; nil if no heads were to be covered.
        var redacted: Int?
        /// The border colour that `key=auto` found; nil without it.
        var key: BorderKey?
    }

    let head: Head
    let bytes: [UInt8]

    /// The picture of a result; nil when the result has none or several.
    init?(_ result: FrameResult, route: PictureRoute) {
        guard let image = result.image else { return nil }
        let plan = result.plan
        bytes = image.bytes
        head = Head(
            format: image.format,
            decision: route == .faces ? nil : plan.crops.first?.decision,
            faces: plan.detector == nil ? nil : plan.faces.count,
            quality: image.quality,
            redacted: plan.coveredHeads,
            key: plan.borderKey
        )
    }

    var cost: Int { bytes.count + 128 }

    /// The record of the picture in a shared store; nil when encoding fails.
    var record: SharedRecord? { (try? BinaryCoder.bytes(of: head)).map { SharedRecord(head: $0, body: bytes) } }

    /// Validates the record of a picture; records are untrusted.
    init?(_ record: SharedRecord) {
        guard let head = try? BinaryCoder.value(Head.self, from: record.head),
            ImageFormat.sniff(record.body) == head.format, head.faces.map({ $0 >= 0 }) ?? true,
            head.quality.map({ (1...100).contains($0) }) ?? true, head.redacted.map({ $0 >= 0 }) ?? true
        else { return nil }
        self.head = head
        bytes = record.body
    }
}
