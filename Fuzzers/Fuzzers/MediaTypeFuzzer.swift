import HeadroomAPI
import Imaging

extension Fuzzer {
    /// The field `Accept` and its media types.
    static let mediaType = Fuzzer(name: "media-type", maxLength: 512) {
        [
            "image/avif,image/webp,image/apng,*/*;q=0.8", "application/json; q=0.5, image/*;q=0.4", "multipart/mixed",
            "a/b; c=\"d;\\\"e\"; f=g;;", "image/jpeg;q=1.000, image/png;q=0",
        ].map { Array($0.utf8) }
    } run: { input in
        let accepted = AcceptHeader(String(decoding: input, as: UTF8.self))
        for format in OutputFormat.allCases {
            precondition((0...1).contains(accepted.weight(of: format.mediaType)), "a weight outside 0...1")
        }
        let formats = accepted.outputFormats
        precondition(formats.allSatisfy { accepted.weight(of: $0.mediaType) > 0 })
        precondition(!(accepted.prefersJSON && accepted.weight(of: "application/json") == 0))
        _ = accepted.prefersMultipart
    }
}
