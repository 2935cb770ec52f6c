import Encodings
import Imaging
import Pipeline
import Requests

/// The image of the setting `fallback-image`, which replaces missing images.
package struct FallbackImage: Sendable, Equatable {
    /// The bytes of the file.
    let bytes: SourceBytes
    /// SHA-256 of the bytes, in hexadecimal digits.
    package let digest: String

    /// Creates a fallback image; nil if the bytes do not start like an image.
    package init?(_ bytes: [UInt8]) {
        guard InputFormat.sniff(bytes) != nil else { return nil }
        self.bytes = SourceBytes(bytes)
        digest = Hexadecimal.text(SHA256.digest(of: bytes))
    }

    package static func == (left: FallbackImage, right: FallbackImage) -> Bool { left.digest == right.digest }

    /// The origin of the image that replaced a missing image: the labels of the metric.
    package enum Origin: String, CaseIterable, Sendable {
        /// The image that the request names.
        case request
        /// The image of the setting.
        case setting
    }
}

extension Problem {
    /// Whether a fallback image may replace the result: the source is absent, its origin failed, or its bytes are not an
    /// image that can be decoded.
    ///
    /// A source that exceeds a limit is not replaced: its owner would not notice, and a larger limit makes it visible.
    var isOfMissingSource: Bool { kind == .sourceNotFound || kind == .sourceFailed || cause == .brokenSource }
}
