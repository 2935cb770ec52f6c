import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ImageRouteTests {
    private func read(_ pairs: [(String, String)], _ route: ImageRoute) throws -> FrameParameters {
        try FrameParameters(pairs.map { (name: $0.0, value: $0.1) }, known: route.parameters)
    }

    @Test(arguments: [
        ("/frame", ImageRoute.frame), ("/faces", .faces), ("/faces/1", .face(1)), ("/faces/12", .face(12)),
        ("/faces/9223372036854775807", .face(.max)), ("/faces/01", .face(1)),
    ])
    func `a path selects its route`(path: String, route: ImageRoute) {
        #expect(ImageRoute(path: path) == route)
    }

    @Test(arguments: [
        "", "/", "frame", "/Frame", "/frame/", "/frame/1", "/faces/", "/faces/0", "/faces/-1", "/faces/+1", "/faces/x",
        "/faces/1/", "/faces/9223372036854775808", "/faces/10000000000000000000", "/faces/１", "/metrics",
    ])
    func `other paths select no route`(path: String) {
        #expect(ImageRoute(path: path) == nil)
    }

    @Test(arguments: [
        (ImageRoute.frame, "zip"), (.frame, "multipart"), (.faces, "jpeg"), (.faces, "html"), (.faces, "focus"),
        (.face(1), "html"), (.face(1), "debug"), (.face(1), "zip"),
    ])
    func `a format of another route is rejected with the formats of this route`(
        route: ImageRoute,
        format: String
    ) throws {
        let parameters = try read([("format", format)], route)
        let form = Negotiation(parameters.format, accepted: .none, route: route).form
        let error = try #require(route.refusal(of: parameters, form: form))
        #expect(error.name == "format" && error.received == format)
        #expect(error.expected.hasPrefix("one of \(route.formats.joined(separator: ", "))"))
    }

    /// Parameters that a route supports, but without an effect on this form of response.
    private static let refused: [(route: ImageRoute, pairs: [(String, String)], name: String)] = [
        (.frame, [("format", "html"), ("zoom", "0.5")], "zoom"),
        (.frame, [("format", "html"), ("rotate", "90")], "rotate"),
        (.frame, [("format", "html"), ("flip", "both")], "flip"),
        (.frame, [("format", "html"), ("filter", "mono")], "filter"),
        (.frame, [("format", "jpeg"), ("placeholder", "thumbhash")], "placeholder"),
        (.faces, [("format", "multipart"), ("download", "faces")], "download"),
        (.faces, [("width", "100")], "width"), (.faces, [("format", "json"), ("quality", "5")], "quality"),
        (.face(1), [("background", "fff")], "background"),
    ]

    @Test(arguments: refused)
    func `a parameter without effect on the response is rejected`(
        route: ImageRoute,
        pairs: [(String, String)],
        name: String
    ) throws {
        let parameters = try read(pairs, route)
        let form = Negotiation(parameters.format, accepted: .none, route: route).form
        #expect(route.refusal(of: parameters, form: form)?.name == name)
    }

    /// Parameters that can be combined.
    private static let allowed: [(route: ImageRoute, pairs: [(String, String)])] = [
        (.frame, []), (.frame, [("format", "html"), ("zoom", "0.5"), ("url", "http://example.com/")]),
        (.frame, [("format", "html"), ("background", "fff")]), (.faces, [("format", "zip"), ("width", "100")]),
        (.frame, [("format", "json"), ("placeholder", "thumbhash")]), (.faces, [("format", "debug")]),
        (.face(1), [("background", "fff"), ("upright", "true")]),
    ]

    @Test(arguments: allowed)
    func `parameters with an effect are accepted`(route: ImageRoute, pairs: [(String, String)]) throws {
        let parameters = try read(pairs, route)
        let form = Negotiation(parameters.format, accepted: .none, route: route).form
        #expect(route.refusal(of: parameters, form: form) == nil)
    }
}

extension Negotiation.Accepted {
    /// A client that accepts everything without preference.
    fileprivate static let none = Self(formats: [.jpeg, .png], prefersJSON: false, prefersMultipart: false)
}
