import BinaryCoding
import Framing

/// One piece of work from bytes to bytes.
///
/// A value without shared state, so the same job runs on a server's worker, from the command line, or in another process.
package struct FrameJob: Codable, Sendable {
    /// The encoded image; its format is detected from the bytes, whatever its declared type.
    package var source: SourceBytes
    /// The form of the result.
    package var answer: Answer
    /// The caller's choices.
    package var options: FrameOptions
    /// The findings of an earlier search with the same picture and ``searchKey``; nil when a search is needed.
    package var findings: FaceFindings?
    /// Whether faces are ignored because detection failed.
    private var ignoresFaces = false

    /// A job for the given bytes, with the service's defaults unless options are given.
    package init(source: SourceBytes, answer: Answer, options: FrameOptions = FrameOptions()) {
        self.source = source
        self.answer = answer
        self.options = options
    }

    /// A job for the given bytes, with the service's defaults.
    package init(source: [UInt8], answer: Answer) { self.init(source: SourceBytes(source), answer: answer) }

    /// The same job with the fallback instead of faces; nil if its answer would be wrong without them, and not only worse.
    package var withoutFaces: FrameJob? {
        guard case (.shapes, .image) = (answer.crops, answer.product), needsFaces, options.framing.fallback != .error
        else { return nil }
        var job = self
        job.ignoresFaces = true
        return job
    }

    /// Whether the answer depends on faces or lists them.
    package var needsFaces: Bool {
        guard case (.shapes, .image) = (answer.crops, answer.product) else { return true }
        return options.framing.needsFaces && !ignoresFaces
    }

    /// Whether the crop may depend on the attention map.
    var mayNeedAttention: Bool { answer.crops == .shapes && options.framing.needsAttention(for: []) }

    /// How the result's images are made; nil when there are none.
    var rendering: Rendering? {
        switch answer.product {
        case .plan: nil
        case .drawing: .drawing
        case .image, .images: options.isLossless ? .cutting : .scaling
        }
    }

    /// How images are made.
    enum Rendering {
        /// Crops are scaled from decoded pixels.
        case scaling
        /// Crops are cut out of the file, so that its pixels are decoded for the detector only.
        case cutting
        /// The whole image is scaled and drawn upon.
        case drawing
    }

    /// Everything that decides the findings, except the picture and the detector.
    package var searchKey: String {
        "\(options.accuracy.rawValue),\(options.smallestFace.map { "\($0)" } ?? "")"
    }

    /// Bytes that are equal for jobs with equal requests, whatever the picture.
    package var requestBytes: [UInt8] {
        var job = self
        job.source = SourceBytes([])
        job.findings = nil
        // What cannot be encoded cannot have been given to a worker.
        return (try? BinaryCoder.bytes(of: job)) ?? []
    }
}
