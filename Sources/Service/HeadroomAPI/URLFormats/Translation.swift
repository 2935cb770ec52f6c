import UntrustedText
package import Pipeline
package import Requests

/// A request in another service's syntax, translated to the parameters of this one.
package struct Translation: Sendable {
    /// The most options of an address that are reported as ignored.
    private static let maxIgnored = 64

    /// Encodes the plan of a crop as the other service's JSON.
    package typealias Presenter = @Sendable (FramePlan) -> [UInt8]

    /// The address of the image, as the value of `url`.
    package var source: String
    /// Whether the address contains that of the image; else the image is below a configured origin, which is not
    /// disclosed to clients.
    package var namesOrigin = true
    /// The parameters without `url`, read like those of a query to `/frame`.
    package var parameters: [(name: Parameter, value: String)]
    /// Options without an effect here, for the header `Headroom-Ignored`.
    package var ignored: [String]
    /// The expiry that the address names, in seconds since 1970; nil for none.
    package var expires: Int?
    /// The address of the image in place of a missing source; nil for none.
    package var fallbackImage: String?
    /// Encodes the JSON of `format=json`; nil for the plan of this service.
    package var presenter: Presenter?

    /// A translation; without parameters it is the whole image.
    ///
    /// - Parameters:
    ///   - source: The address of the image, as the value of `url`.
    ///   - parameters: The parameters without `url`, read like those of a query to `/frame`.
    ///   - ignored: Options without an effect here; of many, the first are reported.
    package init(source: String, parameters: [(name: Parameter, value: String)] = [], ignored: [String] = []) {
        self.source = source
        self.parameters = parameters
        self.ignored = Array(ignored.prefix(Self.maxIgnored))
    }

    /// The value of a parameter; setting it replaces an earlier one, and nil removes it.
    package subscript(name: Parameter) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            parameters.removeAll { $0.name == name }
            if let newValue { parameters.append((name, newValue)) }
        }
    }

    /// The translation without what caused a problem, if the other service answers with an image nevertheless; nil if
    /// it does not.
    func relaxed(after problem: Problem, in name: URLFormatName) -> Translation? {
        var relaxed = self
        switch problem.cause {
        case .regionOutside where name == .thumbor && self[.region] != nil: relaxed[.region] = nil
        case .tooManyBytes where self[.maxBytes] != nil:
            relaxed[.maxBytes] = nil
            relaxed[.quality] = Self.minQuality
            relaxed.ignore("maxBytes")
        default: return nil
        }
        return relaxed
    }

    /// The quality of a result for which no quality makes few enough bytes, as at thumbor and imgproxy.
    private static let minQuality = "10"

    /// Reports an option without effect, once.
    ///
    /// - Parameter option: The option as it was sent.
    package mutating func ignore(_ option: String) {
        guard ignored.count < Self.maxIgnored, !ignored.contains(where: { $0.bytes == option.bytes }) else { return }
        ignored.append(option)
    }
}
