import FramePipeline
import HTTPTypes
import ImageCodec

/// Everything that decides the bytes of an answer, as one digest, known before anything is decoded.
struct Representation {
    /// The version of detector, framing and encoders: raised whenever one of them changes what any request is answered
    /// with, so that caches ask for everything once more.
    static let version = 1

    private let source: PictureSource
    /// Everything else that decides, one after another.
    private let lines: [String]
    private let isWeak: Bool

    /// The answer to a request.
    ///
    /// - Parameters:
    ///   - source: The picture, of which the bytes count; its address does not matter, but for markup, which has it.
    ///   - parameters: What is asked for. A parameter that is written out and one that is left to its default are told
    ///     apart, which costs no more than one answer that need not have been sent.
    ///   - path: Of the request.
    ///   - negotiation: What the answer is, and what the receiver accepts.
    ///   - detector: The detector's name.
    ///   - signer: What signs the addresses in markup.
    init(
        source: PictureSource,
        parameters: FrameParameters,
        path: String,
        negotiation: Negotiation,
        detector: String,
        signer: LinkSigner?
    ) {
        var pairs = parameters.given.map { (name: $0.key.rawValue, value: $0.value) }
        var lines = [
            "\(Self.version)", detector, negotiation.word,
            negotiation.dependsOnAccept ? negotiation.acceptedFormats.map(\.rawValue).joined(separator: ",") : "",
        ]
        if negotiation.answer == .snippet {
            // Its addresses end with the key and the time that they are signed with.
            if let signer { lines.append(signer.target("", [])) }
        } else {
            pairs.removeAll { [ParameterName.url.rawValue, ParameterName.version.rawValue].contains($0.name) }
        }
        lines.append(CanonicalRequest(.get, path: path, pairs: pairs).target)
        self.source = source
        self.lines = lines
        // Plans and lists tell how long the work took, and the pictures of all faces come with the list.
        isWeak = [.document, .archive, .parts].contains(negotiation.answer)
    }

    /// Of the same inputs, 64 hexadecimal digits.
    ///
    /// Computed when it is asked for: it may go through all bytes of the source, and most answers to uploads have no use
    /// for it.
    var digest: String {
        let text = ([source.digest] + lines).joined(separator: "\n")
        return Hexadecimal.text(SHA256.digest(of: Array(text.utf8)))
    }

    /// The tag of the answer: strong where equal inputs give equal bytes; 128 bits, which nobody finds two sources for by chance.
    var tag: EntityTag { EntityTag(String(digest.prefix(32)), isWeak: isWeak) }

    /// What separates the parts of a body: as it depends on the digest of all that the body is made from, nothing in the
    /// body can have been made to hold it.
    var boundary: String { "headroom-\(digest.suffix(32))" }
}
