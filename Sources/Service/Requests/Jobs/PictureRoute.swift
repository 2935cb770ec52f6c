import UntrustedText
import Encodings
import Framing
import Imaging
import Pipeline

/// A route that serves pictures; the command line and batches have the rules of `/frame`.
package enum PictureRoute: Hashable, Sendable {
    /// A crop or its plan.
    case frame
    /// The list of all faces.
    case faces
    /// The picture of one face; 1 is the largest.
    case face(Int)

    /// The beginning of the paths of single faces.
    private static let faceFolder = "/faces/"

    /// The route of a path, in which `/faces/N` counts from 1; nil for another path.
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

    /// The values of `format` that this route supports.
    package var formats: [String] {
        switch self {
        case .frame: FrameParameters.Format.ofFrame
        case .faces: FrameParameters.Format.ofFaces
        case .face: FrameParameters.Format.ofFace
        }
    }

    /// The error for a combination of parameters, with the form of the response, that this route does not support.
    package func refusal(of parameters: FrameParameters, form: Negotiation.Form) -> ParameterError? {
        func error(_ parameter: Parameter, expected: String) -> ParameterError {
            ParameterError(name: parameter.name, received: parameters.given[parameter], expected: expected)
        }
        let format = parameters.format.word
        guard formats.contains(format) else {
            let advice = self == .faces ? "; /faces/N has the picture of one face" : ""
            return ParameterError(
                name: Parameter.format.name,
                received: format,
                expected: "one of \(formats.joined(separator: ", "))\(advice)"
            )
        }
        if parameters.format == .html, parameters.url == nil,
            let (parameter, expected) = Self.unavailableInBrowsers(parameters)
        {
            return error(parameter, expected: expected)
        }
        let plans: [Negotiation.Form] = [.document, .snippet]
        if parameters.options.placeholder != nil, parameters.format != .auto, !plans.contains(form) {
            return error(.placeholder, expected: "no placeholder without format=json or format=html")
        }
        if form == .parts, parameters.download != nil {
            return error(.download, expected: "no download with several parts; format=zip is one file")
        }
        if self != .frame, parameters.given[.background] != nil, parameters.options.faceTurn == nil,
            parameters.options.mask == nil
        {
            let reason = "because the picture fills the result"
            return error(.background, expected: "no background without upright=true, align=eyes or mask, \(reason)")
        }
        guard self == .faces, ![.archive, .parts].contains(form) else { return nil }
        // A list of faces has no pictures, so parameters of pictures have no effect.
        let made: Parameter.Routes = parameters.format == .debug ? [.list, .annotated] : .list
        let meaningless = self.parameters.first {
            $0.routes.isDisjoint(with: made) && parameters.given[$0] != nil
        }
        return meaningless.map { error($0, expected: "no \($0) without format=zip or format=multipart") }
    }

    /// The first parameter whose effect on an uploaded picture a browser cannot reproduce, and the expected value.
    private static func unavailableInBrowsers(
        _ parameters: FrameParameters
    ) -> (parameter: Parameter, expected: String)? {
        let options = parameters.options
        if options.redaction != nil {
            return (.redact, "no redact for format=html without url, which shows the picture itself")
        }
        if !parameters.overlays.isEmpty {
            return (.overlay, "no overlay for format=html without url, which shows the picture itself")
        }
        if parameters.mark != nil {
            return (.mark, "no mark for format=html without url, which shows the picture itself")
        }
        let upload = "for format=html without url, because a browser cannot"
        if options.framing.zoom > 0 { return (.zoom, "0 \(upload) crop closer") }
        if options.framing.place != .center { return (.place, "center \(upload) crop closer") }
        if options.framing.fit == .auto { return (.fit, "cover or pad \(upload) detect heads") }
        if options.region != nil { return (.region, "no region \(upload) crop twice") }
        if options.trim != nil { return (.trim, "no trim \(upload) crop twice") }
        if options.turn != .up {
            let parameter = parameters.given[.rotate] == nil ? Parameter.flip : .rotate
            return (parameter, "no \(parameter) \(upload) turn a crop")
        }
        if options.key != nil { return (.key, "no key \(upload) remove a colour") }
        if options.mask != nil { return (.mask, "no mask for format=html without url, which shows the picture itself") }
        if !options.filters.isEmpty { return (.filter, "no filter \(upload) apply these filters") }
        if options.background.css == nil {
            let reason = "because an img element cannot blur its picture"
            return (.background, "a colour or transparent for format=html without url, \(reason)")
        }
        return nil
    }
}
