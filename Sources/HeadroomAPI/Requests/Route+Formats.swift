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
        if parameters.format == .html, parameters.url == nil,
            let (name, expected) = Self.unavailableInBrowsers(parameters)
        {
            return ParameterError(name: name.rawValue, received: parameters.given[name], expected: expected)
        }
        if self != .frame, parameters.given[.background] != nil, parameters.options.faceTurn == nil {
            return ParameterError(
                name: ParameterName.background.rawValue,
                received: parameters.given[.background],
                expected: "no background without upright=true or align=eyes, because the picture fills the result"
            )
        }
        guard self == .faces, ![.archive, .parts].contains(answer) else { return nil }
        // A list of faces has no pictures, so parameters of pictures have no effect.
        let meaningless = self.parameters.first {
            ![.url, .region, .accuracy, .minFace, .format, .version].contains($0)
                && !([.quality, .profile, .redact, .redactFaces, .redactShape, .redactAreas].contains($0)
                    && parameters.format == .debug)
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

    /// The first parameter whose effect on an uploaded picture a browser cannot reproduce, and the expected value.
    private static func unavailableInBrowsers(
        _ parameters: FrameParameters
    ) -> (name: ParameterName, expected: String)? {
        let options = parameters.options
        if options.redaction != nil {
            return (.redact, "no redact for format=html without url, which shows the picture itself")
        }
        if !parameters.overlays.isEmpty {
            return (.overlay, "no overlay for format=html without url, which shows the picture itself")
        }
        let upload = "for format=html without url, because a browser cannot"
        if options.framing.zoom > 0 { return (.zoom, "0 \(upload) crop closer") }
        if options.framing.place != .center { return (.place, "center \(upload) crop closer") }
        if options.framing.fit == .auto { return (.fit, "cover or pad \(upload) detect heads") }
        if options.region != nil { return (.region, "no region \(upload) crop twice") }
        if options.trim != nil { return (.trim, "no trim \(upload) crop twice") }
        if options.turn != .up {
            let name = parameters.given[.rotate] == nil ? ParameterName.flip : .rotate
            return (name, "no \(name.rawValue) \(upload) turn a crop")
        }
        if options.key != nil { return (.key, "no key \(upload) remove a colour") }
        if !options.filters.isEmpty { return (.filter, "no filter \(upload) apply these filters") }
        if options.background.css == nil {
            let reason = "because an img element cannot blur its picture"
            return (.background, "a colour or transparent for format=html without url, \(reason)")
        }
        return nil
    }

    /// The values of `format` that this route supports.
    package var formats: [String] {
        switch self {
        case .frame: ["auto", "source"] + FrameParameters.Format.images + ["json", "focus", "debug", "html"]
        case .faces: ["auto", "json", "debug", "zip", "multipart"]
        case .face: ["auto", "source"] + FrameParameters.Format.images + ["json"]
        case .stream: ["auto", "jpeg", "json"]
        case .health, .readiness, .metrics, .openAPI, .playground, .grammar: []
        }
    }

    private var formatAdvice: String { self == .faces ? "; /faces/N has the picture of one face" : "" }
}
