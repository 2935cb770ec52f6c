/// Which answers a route can write.
extension Route {
    /// What is wrong with the parameters for this route, which each of them alone could not tell; nil when all is well.
    func refusal(of parameters: FrameParameters) -> ParameterError? {
        if formats.contains(parameters.format.word) { return nil }
        return ParameterError(
            name: ParameterName.format.rawValue,
            received: parameters.format.word,
            expected: "one of \(formats.joined(separator: ", "))\(formatAdvice)"
        )
    }

    /// The words of `format` that this route takes.
    package var formats: [String] {
        switch self {
        case .frame: ["auto"] + FrameParameters.Format.images + ["json", "debug"]
        case .faces: ["auto", "json", "debug"]
        case .face: ["auto"] + FrameParameters.Format.images + ["json"]
        case .health, .readiness, .openAPI: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}
