import UntrustedText
import Encodings
import Framing
import Imaging
import Pipeline

/// A route that serves images.
///
/// The command line and batches use the rules of `/frame`.
package enum ImageRoute: Hashable, Sendable {
    /// A crop or its plan.
    case frame
    /// The list of all faces.
    case faces
    /// The image of one face; 1 is the largest.
    case face(Int)

    /// The path prefix of the images of single faces.
    private static let faceFolder = "/faces/"

    /// Parses the route of a path, where `/faces/N` counts from 1; nil for another path.
    package init?(path: String) {
        switch path.bytes {
        case "/frame": self = .frame
        case "/faces": self = .faces
        default:
            let digits = path.bytes.dropFirst(Self.faceFolder.count)
            guard path.bytes.hasPrefix(Self.faceFolder), digits.utf8.count <= 19, digits.isDecimal,
                let index = Int(digits),
                index >= 1
            else { return nil }
            self = .face(index)
        }
    }

    package var parameters: [Parameter] {
        switch self {
        case .frame: Parameter.of(.frame)
        case .faces, .face: Parameter.of([.portraits, .list, .annotated])
        }
    }

    /// The name of the route, without the number of a face.
    package var name: String {
        switch self {
        case .frame: "frame"
        case .faces: "faces"
        case .face: "face"
        }
    }

    /// The parameters that can have a default.
    ///
    /// For a list of faces, these are only the parameters that do not concern images.
    package var defaultParameters: [Parameter] { self == .faces ? Parameter.of(.list) : parameters }

    /// The values of `format` that this route supports.
    package var formats: [String] {
        switch self {
        case .frame: FrameParameters.Format.ofFrame
        case .faces: FrameParameters.Format.ofFaces
        case .face: FrameParameters.Format.ofFace
        }
    }

    /// Returns the error for a combination of parameters and response form that this route does not support.
    package func refusal(of parameters: FrameParameters, form: Negotiation.Form) -> ParameterError? {
        func error(_ parameter: Parameter, breaks rule: String) -> ParameterError {
            ParameterError(name: parameter.name, received: parameters.given[parameter], breaks: rule)
        }
        let format = parameters.format.word
        guard formats.contains(format) else {
            let advice = self == .faces ? "; use /faces/N for the image of one face" : ""
            return ParameterError(
                name: Parameter.format.name,
                received: format,
                expected: "one of \(formats.joined(separator: ", "))\(advice)"
            )
        }
        if parameters.format == .html, parameters.url == nil, let error = Self.unavailableInBrowsers(parameters) {
            return error
        }
        let plans: [Negotiation.Form] = [.document, .snippet]
        if parameters.options.placeholder != nil, parameters.format != .auto, !plans.contains(form) {
            return error(.placeholder, breaks: "requires format=json or format=html")
        }
        if form == .parts, parameters.download != nil {
            return error(.download, breaks: "is not allowed with several parts; use format=zip for one file")
        }
        if self != .frame, parameters.given[.background] != nil, parameters.options.faceTurn == nil,
            parameters.options.mask == nil
        {
            let reason = "because otherwise the image fills the output"
            return error(.background, breaks: "requires upright=true, align=eyes or mask, \(reason)")
        }
        guard self == .faces, ![.archive, .parts].contains(form) else { return nil }
        // A list of faces does not contain images, so parameters for images have no effect.
        let made: Parameter.Routes = parameters.format == .debug ? [.list, .annotated] : .list
        let meaningless = self.parameters.first {
            $0.routes.isDisjoint(with: made) && parameters.given[$0] != nil
        }
        return meaningless.map { error($0, breaks: "requires format=zip or format=multipart") }
    }

    /// Returns the error for the first parameter whose effect a browser cannot reproduce on an uploaded image.
    private static func unavailableInBrowsers(_ parameters: FrameParameters) -> ParameterError? {
        let options = parameters.options
        let markup = "format=html without url"
        func isNotAllowed(_ parameter: Parameter, _ reason: String) -> ParameterError {
            let rule = "is not allowed with \(markup), \(reason)"
            return ParameterError(name: parameter.name, received: parameters.given[parameter], breaks: rule)
        }
        func expected(_ parameter: Parameter, _ values: String, _ reason: String) -> ParameterError {
            let text = "\(values) for \(markup), because \(reason)"
            return ParameterError(name: parameter.name, received: parameters.given[parameter], expected: text)
        }
        let original = "which shows the uploaded image itself"
        if options.redaction != nil { return isNotAllowed(.redact, original) }
        if !parameters.overlays.isEmpty { return isNotAllowed(.overlay, original) }
        if parameters.mark != nil { return isNotAllowed(.watermark, original) }
        if options.framing.zoom > 0 { return expected(.zoom, "0", "a browser cannot crop closer") }
        if options.framing.place != .center { return expected(.place, "center", "a browser cannot crop closer") }
        if options.framing.fit == .auto { return expected(.fit, "cover or pad", "a browser cannot detect heads") }
        if options.region != nil { return isNotAllowed(.region, "because a browser cannot crop twice") }
        if options.trim != nil { return isNotAllowed(.trim, "because a browser cannot crop twice") }
        if options.turn != .up {
            let parameter = parameters.given[.rotate] == nil ? Parameter.flip : .rotate
            return isNotAllowed(parameter, "because a browser cannot rotate a crop")
        }
        if options.key != nil { return isNotAllowed(.chromaKey, "because a browser cannot remove a colour") }
        if options.mask != nil { return isNotAllowed(.mask, original) }
        if !options.filters.isEmpty { return isNotAllowed(.filter, "because a browser cannot apply these filters") }
        if options.background.css == nil {
            return expected(.background, "a colour or transparent", "an img element cannot blur its image")
        }
        return nil
    }
}
