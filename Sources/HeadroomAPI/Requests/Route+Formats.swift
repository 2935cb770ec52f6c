import Framing
import Geometry
import Imaging
import Pipeline

/// The formats that a route supports.
extension Route {
    /// The error for a combination of parameters that this route does not support.
    ///
    /// - Parameters:
    ///   - parameters: The request's parameters.
    ///   - answer: The form of the response.
    /// - Returns: The error; nil when the combination is valid.
    func refusal(of parameters: FrameParameters, answer: Negotiation.Shape) -> ParameterError? {
        let format = parameters.format.word
        guard formats.contains(format) else {
            return ParameterError(
                name: ParameterName.format.rawValue,
                received: format,
                expected: "one of \(formats.joined(separator: ", "))\(formatAdvice)"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.options.framing.zoom > 0 {
            return ParameterError(
                name: ParameterName.zoom.rawValue,
                received: parameters.given[.zoom],
                expected: "0 for format=html without url, because a browser cannot crop closer"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.options.framing.place != .center {
            return ParameterError(
                name: ParameterName.place.rawValue,
                received: parameters.given[.place],
                expected: "center for format=html without url, because a browser cannot crop closer"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.options.framing.fit == .auto {
            return ParameterError(
                name: ParameterName.fit.rawValue,
                received: parameters.given[.fit],
                expected: "cover or pad for format=html without url, because a browser cannot detect heads"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.options.background.css == nil {
            return ParameterError(
                name: ParameterName.background.rawValue,
                received: parameters.given[.background],
                expected:
                    "a colour or transparent for format=html without url, because an img element cannot blur its picture"
            )
        }
        guard self == .faces, ![.archive, .parts].contains(answer) else { return nil }
        // A list of faces has no pictures, so parameters of pictures have no effect.
        let meaningless = self.parameters.first {
            ![.url, .accuracy, .minFace, .format, .version].contains($0)
                && !([.quality, .profile].contains($0) && parameters.format == .debug)
                && parameters.given[$0] != nil
        }
        return meaningless.map {
            ParameterError(
                name: $0.rawValue,
                received: parameters.given[$0],
                expected: "no \($0.rawValue) without format=zip or format=multipart"
            )
        }
    }

    /// The values of `format` that this route supports.
    package var formats: [String] {
        switch self {
        case .frame: ["auto"] + FrameParameters.Format.images + ["json", "debug", "html"]
        case .faces: ["auto", "json", "debug", "zip", "multipart"]
        case .face: ["auto"] + FrameParameters.Format.images + ["json"]
        case .health, .readiness, .metrics, .openAPI, .playground: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}
