import BinaryCoding
import Caching
import Framing
import HTTPServer
import Imaging
import Pipeline
import Requests

/// An encoded image, or a video of its frames, with the data of its header fields.
struct CachedImage: Sendable {
    struct Head: Codable, Sendable {
        var format: OutputFormat
        /// The format of the bytes if they are a video; nil for an image.
        var video: VideoFormat?
        /// The decision of the crop; nil for a whole image.
        var decision: Decision?
        /// The number of faces; nil without detection.
        var faces: Int?
        /// The quality that was chosen to meet a size limit; nil if no quality was chosen.
        var quality: Int?
        /// The number of heads that redaction covers; nil if the request does not redact heads.
        var redacted: Int?
        /// The border colour that `key=auto` found; nil without it.
        var key: BorderKey?

        var mediaType: String { video?.mediaType ?? format.mediaType }

        /// Whether bytes start with the signature of the format.
        fileprivate func isFormat(of bytes: [UInt8]) -> Bool {
            if let video { VideoFormat.sniff(bytes) == video } else { OutputFormat.sniff(bytes) == format }
        }
    }

    let head: Head
    let bytes: [UInt8]

    /// Creates the image of a result; nil if the result contains no image or several images.
    init?(_ result: FrameResult, route: ImageRoute) {
        guard let image = result.image else { return nil }
        let plan = result.plan
        bytes = image.bytes
        head = Head(
            format: image.format,
            video: image.video,
            decision: route == .faces ? nil : plan.crops.first?.decision,
            faces: plan.detector == nil ? nil : plan.faces.count,
            quality: image.quality,
            redacted: plan.coveredHeads,
            key: plan.borderKey
        )
    }

    var cost: Int { bytes.count + 128 }

    /// The record of the image in a shared store; nil when encoding fails.
    var record: SharedRecord? { (try? BinaryCoder.bytes(of: head)).map { SharedRecord(head: $0, body: bytes) } }

    /// Validates a record and creates its image; records are untrusted.
    init?(_ record: SharedRecord) {
        guard let head = try? BinaryCoder.value(Head.self, from: record.head),
            head.isFormat(of: record.body), head.faces.map({ $0 >= 0 }) ?? true,
            head.quality.map({ (1...100).contains($0) }) ?? true, head.redacted.map({ $0 >= 0 }) ?? true
        else { return nil }
        self.head = head
        bytes = record.body
    }
}
