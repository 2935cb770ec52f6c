import Cryptography
import Encodings
package import HTTPTypes
import Imaging
import Pipeline
import Requests

/// The configured image (setting `fallback-image`) that replaces missing images.
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

    /// The origin of the image that replaced a missing image, as a metric label.
    package enum Origin: String, CaseIterable, Sendable {
        /// The image that the request names.
        case request
        /// The image of the setting.
        case setting
    }
}

/// The status of responses with a fallback image.
package enum FallbackImageStatus: Hashable, Sendable {
    /// The same status for every response.
    case fixed(HTTPResponse.Status)
    /// The status that the response would have without a fallback image.
    case ofProblem

    /// The default: 200.
    package static let standard = FallbackImageStatus.fixed(.ok)

    /// The accepted texts, for messages.
    package static let expected = "200, a status from 400 to 599 except 401, 405, 407 and 426, or error"

    /// Statuses that require header fields, which a response with a fallback image does not have.
    private static let excluded = [401, 405, 407, 426]

    /// Parses a status, or `error`; nil for any other text.
    package init?(_ text: String) {
        if text.utf8.elementsEqual("error".utf8) {
            self = .ofProblem
            return
        }
        guard text.utf8.count == 3, let code = Int(plainDigits: text),
            code == 200 || (400...599).contains(code) && !Self.excluded.contains(code)
        else { return nil }
        self = .fixed(HTTPResponse.Status(code: code))
    }

    /// The text of the setting.
    package var text: String {
        switch self {
        case .fixed(let status): "\(status.code)"
        case .ofProblem: "error"
        }
    }
}
