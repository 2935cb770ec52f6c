import Cryptography
import Encodings
import Fetching
import HTTPTypes
import Imaging
import Pipeline
import Requests
import Workers

/// All inputs that determine the bytes of a response, with their digest.
///
/// They are available before the source is decoded.
package struct ResponseKey: Sendable {
    /// The version of the detector, the framing and the encoders.
    package static let version = ResponseVersion.current

    let source: ImageSource
    /// The backdrop; nil for none.
    let backdrop: ImageSource?
    /// Every other input.
    private let lines: [String]
    private let isWeak: Bool

    /// Collects the inputs of a response.
    ///
    /// The key contains the bytes of images. It contains a URL only for markup, which repeats the URL. A default and
    /// the same explicit value give different keys, which costs at most one cache miss.
    init(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ backdrop: ImageSource?,
        _ service: ImageService
    ) {
        let (parameters, negotiation) = (request.parameters, request.negotiation)
        var pairs = parameters.given.map { (name: $0.key.name, value: $0.value) }
        var lines = [
            "\(Self.version)", service.workers.detectorName, negotiation.word,
            negotiation.dependsOnAccept ? negotiation.acceptedFormats.map(\.rawValue).joined(separator: ",") : "",
        ]
        if negotiation.dependsOnAccept, negotiation.acceptedFormats.contains(where: \.isExpensive) {
            lines.append("\(service.workers.limits.maxExpensivePixels)")
        }
        if let maxPixels = request.limits.maxPixels { lines.append("pixels \(maxPixels)") }
        if parameters.usesOverlays { lines.append("overlays \(service.overlayDigest)") }
        if negotiation.form == .snippet {
            // Signed URLs in markup depend on the key and the expiry.
            if let signer = request.signer { lines.append(signer.target("", [])) }
            if let prefix = service.pathPrefix { lines.append("prefix \(prefix)") }
            if let address = service.publicURL { lines.append("public \(address)") }
        } else {
            // The URL, the version and the file name do not change the bytes.
            let names = [Parameter.url, .version, .download] + (backdrop == nil ? [] : [.backdropURL])
            pairs.removeAll { pair in names.contains { $0.name == pair.name } }
        }
        if let conversion = service.conversion(of: source, parameters) { lines.append("converter \(conversion.key)") }
        if let format = negotiation.video, let converter = service.converters.byVideoFormat[format] {
            lines.append("video converter \(converter.command)")
        }
        if let backdrop { lines.append("backdrop:\(backdrop.digest)") }
        lines.append(CanonicalRequest(.get, path: request.path, pairs: pairs).target)
        self.source = source
        self.backdrop = backdrop
        self.lines = lines
        // Plans and lists contain timings, and the images of all faces are sent with a list.
        isWeak = [.document, .archive, .parts].contains(negotiation.form)
    }

    /// SHA-256 of the inputs, in 64 hexadecimal digits.
    ///
    /// Computed at each use, because it may hash all bytes of the source, and most responses to uploads do not need the
    /// digest.
    var digest: String {
        let text = ([source.digest] + lines).joined(separator: "\n")
        return Hexadecimal.text(SHA256.digest(of: Array(text.utf8)))
    }

    /// The key of the response in caches: the digests of its images and ``digest``.
    ///
    /// The digests of the images let a purge find the response.
    var cacheKey: String {
        let contents = [source, backdrop].compactMap { $0?.digest }
        return "\(contents.joined(separator: ","))/\(digest)"
    }

    /// The labels of the response in the result store: the tags of its images and the digests of their bytes.
    var labels: [String] {
        [source, backdrop].compactMap(\.self).flatMap { image in
            (image.url.map { [SourceTag($0).description] } ?? []) + [image.digest]
        }
    }

    /// The entity tag, which contains 128 bits of the digest.
    ///
    /// It is strong if equal inputs give equal bytes, otherwise weak.
    var tag: EntityTag { EntityTag(String(digest.prefix(32)), isWeak: isWeak) }

    /// The boundary of a multipart body.
    ///
    /// It depends on the digest of all inputs, so no input can contain it.
    var boundary: String { "headroom-\(digest.suffix(32))" }
}
