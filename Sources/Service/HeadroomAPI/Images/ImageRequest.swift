import Admission
import Fetching
import Pipeline
import Requests

/// A request for an image, a plan or a list of faces, without the protocol that it came by.
///
/// It is everything that ``ImageService`` needs before the source is loaded.
struct ImageRequest: Sendable {
    /// The location of the image: a URL or the uploaded bytes.
    enum Image: Sendable {
        case bytes(SourceBytes)
        case url(String)

        /// The image of a request.
        ///
        /// - Parameters:
        ///   - bytes: The uploaded image; empty for none.
        ///   - url: The value of the parameter `url`; nil for none.
        ///   - takesUploads: Whether the request could have a body, which an error then mentions.
        /// - Throws: An error that names `url`, unless there is one of both.
        init(_ bytes: SourceBytes, url: String?, takesUploads: Bool) throws(ParameterErrors) {
            let error: ParameterError
            switch (bytes.isEmpty, url) {
            case (true, let url?):
                self = .url(url)
                return
            case (false, nil):
                self = .bytes(bytes)
                return
            case (false, _?):
                error = ParameterError(name: "url", received: url, breaks: "is not allowed with an image in the body")
            case (true, nil):
                let expected =
                    takesUploads
                    ? "an image as the body, as the form field image, or a url"
                    : "the http or https URL of an image; or POST the image itself"
                error = ParameterError(name: "url", received: nil, expected: expected)
            }
            throw ParameterErrors(all: [error])
        }
    }

    let image: Image
    let parameters: FrameParameters
    let route: ImageRoute
    let negotiation: Negotiation
    /// The path that distinguishes the result from that of other routes.
    let path: String
    /// The latest start of work on the image.
    let deadline: ContinuousClock.Instant
    /// The limits and the accounting of the job; those of the service only, unless set.
    var limits = JobLimits()
    /// The limits of fetches; those of the service only, unless set.
    var fetchLimits = FetchLimits()
    /// Whether the result is cached: not that of an upload, which is rarely repeated.
    var isCacheable = false
    /// Signs the addresses in markup; nil when the service requires no signatures.
    var signer: LinkSigner?
    /// The translation of an address in another service's syntax; nil for all other requests.
    var translation: Translation?
    /// The memory of a decoded upload; nil for other images.
    var share: ByteShare?
    /// Whether the client is in a private network, so that a problem may name the option for private sources.
    var isFromPrivateNetwork = false

    /// A request that is not cached, by a client without limits of its own.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - parameters: The parameters, read for the route.
    ///   - route: The kind of result.
    ///   - path: The path that distinguishes the result from that of other routes.
    ///   - accept: The accepted media types, as a field `Accept` lists them; nil for all.
    ///   - deadline: The latest start of work on the image.
    /// - Throws: A ``Problem`` with status 400.
    init(
        _ image: Image,
        _ parameters: FrameParameters,
        route: ImageRoute,
        path: String,
        accept: String?,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        negotiation = Negotiation(parameters.format, accept: accept, route: route)
        if let error = route.refusal(of: parameters, form: negotiation.form)
            ?? negotiation.refusal(of: parameters.options.aspects)
        {
            throw Problem(ParameterErrors(all: [error]))
        }
        self.image = image
        self.parameters = parameters
        self.route = route
        self.path = path
        self.deadline = deadline
    }

    /// The client whose shares of queues and budgets the request uses; nil for one without shares.
    var client: Client? { limits.client }

    /// Whether the result shows crops, so that their decisions are logged.
    var showsCrops: Bool { route != .faces || [.archive, .parts].contains(negotiation.form) }
}
