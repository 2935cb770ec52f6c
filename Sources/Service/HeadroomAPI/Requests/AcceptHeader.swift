import UntrustedText
import HTTPServer
import HTTPTypes
package import Imaging
package import Requests

/// The media types that a client accepts (RFC 9110 §12.5.1).
package struct AcceptHeader: Sendable {
    private struct Range: Sendable {
        var type: String
        var weight: Double
    }

    private let ranges: [Range]

    /// Parses the field's value; nil or an empty value accepts everything.
    package init(_ text: String?) {
        ranges = (text ?? "").listElements.prefix(64).compactMap { item in
            guard let media = MediaType(item) else { return nil }
            let weight = media.parameters["q"].flatMap { Double(plainDecimal: $0) } ?? 1
            return Range(type: media.essence, weight: min(weight, 1))
        }
    }

    /// Returns the weight of a media type from the most specific matching range; 0 if the type is not accepted.
    package func weight(of mediaType: String) -> Double {
        guard !ranges.isEmpty else { return 1 }
        let family = mediaType.bytes.prefix(before: "/") + "/*"
        for candidate in [mediaType, String(family), "*/*"] {
            if let range = ranges.first(where: { $0.type == candidate }) { return range.weight }
        }
        return 0
    }

    /// Whether JSON is listed by name, and has a higher weight than every image format.
    ///
    /// Wildcard ranges also count. Libraries send `application/json, text/plain, */*` by default; JSON and images then
    /// have the same weight, and the client gets the image.
    package var prefersJSON: Bool {
        guard names("application/json") else { return false }
        let images = OutputFormat.allCases.map { weight(of: $0.mediaType) }
        return weight(of: "application/json") > (images.max() ?? 0)
    }

    /// Whether `multipart/mixed` is listed with a higher weight than JSON.
    package var prefersMultipart: Bool {
        func named(_ type: String) -> Double { ranges.first { $0.type == type }?.weight ?? 0 }
        return named("multipart/mixed") > named("application/json")
    }

    /// The accepted image formats in order of preference.
    ///
    /// Empty if no format is accepted; the output then has the source's format.
    ///
    /// Only a few different lists are possible, so that caches contain few variants. AVIF and WebP come first if they
    /// are listed by name and no other format has a higher weight. The weights of JPEG and PNG are not compared,
    /// because browsers never list one of these formats alone. AVIF that is not listed by name is not accepted.
    package var outputFormats: [OutputFormat] {
        let accepted = OutputFormat.allCases.filter { weight(of: $0.mediaType) > 0 }
        let known = accepted.filter { !$0.isExpensive || names($0.mediaType) }
        let best = known.filter { !$0.mustBeNamed }.map { weight(of: $0.mediaType) }.max() ?? 0
        let named = known.filter { $0.mustBeNamed && names($0.mediaType) && weight(of: $0.mediaType) >= best }
        let leading = named.map { weight(of: $0.mediaType) }.max() ?? 0
        let expensive = named.filter { $0.isExpensive && weight(of: $0.mediaType) >= leading }
        let preferred = expensive + named.filter { !$0.isExpensive }
        let others = known.filter { !preferred.contains($0) }
        return preferred + others.filter { !$0.isExpensive } + others.filter(\.isExpensive)
    }

    private func names(_ mediaType: String) -> Bool { ranges.contains { $0.type == mediaType } }
}

extension Negotiation {
    /// Negotiates the form for a route; `Accept` decides only for ``FrameParameters/Format/auto``.
    ///
    /// - Parameters:
    ///   - format: The parameter `format`.
    ///   - accept: The value of `Accept`; nil for all types.
    ///   - route: The kind of result.
    ///   - takesJSON: Whether `Accept` may select JSON instead of an image; false for uploads from web pages.
    package init(_ format: FrameParameters.Format, accept: String?, route: ImageRoute, takesJSON: Bool = true) {
        let header = AcceptHeader(accept)
        let client = Accepted(
            formats: header.outputFormats,
            prefersJSON: takesJSON && header.prefersJSON,
            prefersMultipart: header.prefersMultipart
        )
        self.init(format, accepted: client, route: route)
    }
}

extension ClientHints {
    init(_ headers: HTTPFields) {
        self.init { field in HTTPField.Name(field.rawValue).flatMap { headers[$0] } }
    }
}
