import HTTPServer
package import HTTPTypes
package import Requests
import UntrustedText

/// A route of the service; each route is a row of the table in `RouteTable.swift`.
///
/// It is a class, so that a request retains only one reference.
package final class Route: Sendable {
    /// The clients that may use a route.
    package enum Credentials: Hashable, Sendable {
        /// Everyone.
        ///
        /// The route reports on the service itself. Load balancers, probes and monitors use it without credentials; the
        /// network controls access to it.
        case none
        /// Clients with credentials of the service, if it requires any.
        case service
        /// Clients with credentials of the service, and URLs signed with a key of the URL format.
        case urlFormat(URLFormatName)
    }

    /// The paths of a route.
    struct Paths: Sendable {
        /// Whether a raw path belongs to the route.
        let contains: @Sendable (String) -> Bool
        /// The description of the route in the problem for an unknown path; nil if the problem does not list the route.
        let listing: String?

        /// Defines paths by a rule.
        ///
        /// - Parameters:
        ///   - listing: Their description in the problem for an unknown path; nil if the problem does not list them.
        ///   - contains: Whether a raw path is one of them.
        /// - Returns: The paths.
        static func matching(_ listing: String?, _ contains: @escaping @Sendable (String) -> Bool) -> Paths {
            Paths(contains: contains, listing: listing)
        }

        /// Returns one path, which is listed.
        static func one(_ path: String) -> Paths { .matching(path) { $0.bytes == path.bytes } }
    }

    /// Responds to a request with one of the route's methods, and checks its credentials.
    typealias Response =
        @Sendable (
            HeadroomHandler, ServerRequest, Route, inout AccessLog.Entry
        ) async throws(Problem) -> ServerResponse

    /// The methods of routes that accept uploads.
    static let uploads: [HTTPRequest.Method] = [.get, .head, .post, .options]
    /// The methods of all other routes.
    static let reads: [HTTPRequest.Method] = [.get, .head, .options]

    /// The name in logs and metrics, without the variable part of the path.
    package let name: String
    package let methods: [HTTPRequest.Method]
    package let credentials: Credentials
    /// The image route; for `/faces/N`, the route of the first face.
    ///
    /// Nil for other routes.
    let image: ImageRoute?
    /// The parameters of the route, except signature parameters.
    package let parameters: [Parameter]
    /// The values of `format` that this route supports.
    package let formats: [String]
    let paths: Paths
    /// Whether the path also exists without the prefix of the service.
    ///
    /// Load balancers and monitors need this, because they bypass the proxy.
    let isOutsidePrefix: Bool
    /// Whether a handler serves the route; otherwise its paths are unknown.
    let isServed: @Sendable (HeadroomHandler) -> Bool
    /// A sentence for the problem of its paths that states when a handler serves the route; nil if every handler serves
    /// it.
    let requirement: String?
    let respond: Response

    /// Creates a row of the table.
    ///
    /// - Parameters:
    ///   - name: The name in logs and metrics.
    ///   - paths: Its paths.
    ///   - methods: ``uploads`` or ``reads``.
    ///   - credentials: The clients that may use the route.
    ///   - image: The image route, which determines parameters and formats.
    ///   - parameters: The parameters of a route without `image`.
    ///   - formats: The formats of a route without `image`.
    ///   - isOutsidePrefix: Whether the path also exists without the prefix of the service.
    ///   - isServed: Whether a handler serves the route.
    ///   - requirement: A sentence that states when a handler serves the route.
    ///   - respond: The response to a request.
    init(
        _ name: String,
        at paths: Paths,
        methods: [HTTPRequest.Method],
        credentials: Credentials,
        image: ImageRoute? = nil,
        parameters: [Parameter] = [],
        formats: [String] = [],
        isOutsidePrefix: Bool = false,
        isServed: @escaping @Sendable (HeadroomHandler) -> Bool = { _ in true },
        requirement: String? = nil,
        respond: @escaping Response
    ) {
        self.name = name
        self.paths = paths
        self.methods = methods
        self.credentials = credentials
        self.image = image
        self.parameters = image?.parameters ?? parameters
        self.formats = image?.formats ?? formats
        self.isOutsidePrefix = isOutsidePrefix
        self.isServed = isServed
        self.requirement = requirement
        self.respond = respond
    }

    /// Whether the route serves images: true for every route that needs credentials.
    package var servesImages: Bool { credentials != .none }

    /// The URL format that the route serves; nil for routes of this service.
    var urlFormat: URLFormatName? { if case .urlFormat(let name) = credentials { name } else { nil } }

    /// Returns the route of the image at a raw path; nil if the route does not serve an image.
    package func image(at path: String) -> ImageRoute? {
        image == nil ? nil : ImageRoute(path: path) ?? image
    }
}

extension Route: Hashable {
    package static func == (left: Route, right: Route) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
