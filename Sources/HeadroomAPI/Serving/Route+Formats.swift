import Framing

/// Which answers a route can write.
extension Route {
    /// What is wrong with the parameters for this route, which none of them alone could tell; nil when all is well.
    func refusal(of parameters: FrameParameters) -> ParameterError? {
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
        guard self == .faces, parameters.format != .zip else { return nil }
        // What shapes the pictures of faces has no meaning for a list of them.
        let meaningless = self.parameters.first {
            ![.url, .accuracy, .minFace, .format].contains($0) && !($0 == .quality && parameters.format == .debug)
                && parameters.given[$0] != nil
        }
        return meaningless.map {
            ParameterError(
                name: $0.rawValue,
                received: parameters.given[$0],
                expected: "no \($0.rawValue) without format=zip"
            )
        }
    }

    /// The words of `format` that this route takes.
    package var formats: [String] {
        switch self {
        case .frame: ["auto"] + FrameParameters.Format.images + ["json", "debug", "html"]
        case .faces: ["auto", "json", "debug", "zip"]
        case .face: ["auto"] + FrameParameters.Format.images + ["json"]
        case .health, .readiness, .openAPI: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}
