import UntrustedText
import Imaging
package import Pipeline
package import Requests

/// A request in another service's syntax, translated to the parameters of this service.
package struct Translation: Sendable {
    /// The maximum number of ignored options that are reported for a URL.
    private static let maxIgnored = 64

    /// Encodes the plan of a crop as the other service's JSON.
    package typealias Presenter = @Sendable (FramePlan) -> [UInt8]

    /// The URL of the image, as the value of `url`.
    package var source: String
    /// The text of a source without a scheme; nil for other sources.
    ///
    /// The base URL of the service, if configured, resolves it.
    package var relativeSource: String?
    /// Whether the request's URL contains the URL of the image.
    ///
    /// Otherwise the image is below a configured origin, which clients must not learn.
    package var namesOrigin = true
    /// Whether the source was encrypted in the URL, so that no response may contain a part of it.
    package var isEncrypted = false
    /// The parameters without `url`, parsed like the query parameters of `/frame`.
    package var parameters: [(name: Parameter, value: String)]
    /// Options that this service ignores, for the header `Headroom-Ignored`.
    package var ignored: [String]
    /// The expiry in the URL, in seconds since 1970; nil for none.
    package var expires: Int?
    /// The maximum freshness of the response, in seconds; nil for the freshness of the settings.
    package var maxAge: Int?
    /// The URL of the fallback image; nil for none.
    package var fallbackImage: String?
    /// Encodes the JSON of `format=json`; nil for the plan of this service.
    package var presenter: Presenter?

    /// Creates a translation; without parameters, the output is the whole image.
    ///
    /// - Parameters:
    ///   - source: The URL of the image, as the value of `url`.
    ///   - parameters: The parameters without `url`, parsed like the query parameters of `/frame`.
    ///   - ignored: Options that this service ignores; if there are many, only the first options are reported.
    package init(source: String, parameters: [(name: Parameter, value: String)] = [], ignored: [String] = []) {
        self.source = source
        self.parameters = parameters
        self.ignored = Array(ignored.prefix(Self.maxIgnored))
    }

    /// The value of a parameter.
    ///
    /// Setting it replaces the previous value, and nil removes the parameter.
    package subscript(name: Parameter) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            parameters.removeAll { $0.name == name }
            if let newValue { parameters.append((name, newValue)) }
        }
    }

    /// Returns the translation without the option that caused a problem, if the other service would ignore the option;
    /// otherwise nil.
    package func relaxed(after problem: Problem) -> Translation? {
        guard case .tooManyBytes = problem.cause, self[.maxBytes] != nil else { return nil }
        var relaxed = self
        relaxed[.maxBytes] = nil
        relaxed[.quality] = Self.minQuality
        relaxed.ignore("maxBytes")
        return relaxed
    }

    /// The translation without options that videos do not support; unchanged for other formats.
    ///
    /// The first frame of an animation is an image in the format of the source.
    var adaptedToVideo: Translation {
        guard let format = self[.format], VideoFormat(rawValue: format) != nil else { return self }
        var adapted = self
        if self[.animation] == "still" {
            adapted[.format] = "source"
            adapted.ignore(format)
            return adapted
        }
        for name in [Parameter.maxBytes, .chroma, .progressive] where self[name] != nil {
            adapted[name] = nil
            adapted.ignore(name.name)
        }
        if self[.mask] != nil, self[.background] == nil { adapted[.background] = "ffffff" }
        return adapted
    }

    /// The quality for an output that exceeds its size limit at every quality; thumbor and imgproxy use the same value.
    private static let minQuality = "10"

    /// Reports an ignored option, once.
    ///
    /// - Parameter option: The unchanged option of the request.
    package mutating func ignore(_ option: String) {
        guard ignored.count < Self.maxIgnored, !ignored.contains(where: { $0.bytes == option.bytes }) else { return }
        ignored.append(option)
    }
}
