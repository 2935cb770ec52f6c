import Framing
import ImageCodec

/// Which answers a route can write.
extension Route {
    /// What is wrong with the parameters for this route, which none of them alone could tell.
    ///
    /// - Parameters:
    ///   - parameters: What was asked.
    ///   - answer: What the answer will be.
    /// - Returns: Nil when all is well.
    func refusal(of parameters: FrameParameters, answer: Negotiation.Shape) -> ParameterError? {
        let format = parameters.format.word
        guard formats.contains(format) else {
            return ParameterError(
                name: ParameterName.format.rawValue,
                received: format,
                expected: "one of \(formats.joined(separator: ", "))\(formatAdvice)"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.framing.zoom > 0 {
            return ParameterError(
                name: ParameterName.zoom.rawValue,
                received: parameters.given[.zoom],
                expected: "0 for format=html without url, for a browser cannot crop closer"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.framing.place != .center {
            return ParameterError(
                name: ParameterName.place.rawValue,
                received: parameters.given[.place],
                expected: "center for format=html without url, for a browser cannot crop closer"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.framing.fit == .auto {
            return ParameterError(
                name: ParameterName.fit.rawValue,
                received: parameters.given[.fit],
                expected: "cover or pad for format=html without url, for a browser does not know where heads are"
            )
        }
        if parameters.format == .html, parameters.url == nil, parameters.background.css == nil {
            return ParameterError(
                name: ParameterName.background.rawValue,
                received: parameters.given[.background],
                expected:
                    "a colour or transparent for format=html without url, for an img element cannot blur what it shows"
            )
        }
        guard self == .faces, ![.archive, .parts].contains(answer) else { return nil }
        // What shapes the pictures of faces has no meaning for a list of them.
        let meaningless = self.parameters.first {
            ![.url, .accuracy, .minFace, .format, .version].contains($0)
                && !($0 == .quality && parameters.format == .debug)
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

    /// The words of `format` that this route takes.
    package var formats: [String] {
        switch self {
        case .frame: ["auto"] + FrameParameters.Format.images + ["json", "debug", "html"]
        case .faces: ["auto", "json", "debug", "zip", "multipart"]
        case .face: ["auto"] + FrameParameters.Format.images + ["json"]
        case .health, .readiness, .metrics, .openAPI: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}
