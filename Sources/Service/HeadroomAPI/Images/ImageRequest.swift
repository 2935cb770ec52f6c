import Admission
import Fetching
import Pipeline
import Requests

/// A request for an image, a plan or a list of faces, independent of the protocol.
///
/// It contains everything that ``ImageService`` needs before the source is loaded.
struct ImageRequest: Sendable {
    /// The location of the image: a URL or the uploaded bytes.
    enum Image: Sendable {
        case bytes(SourceBytes)
        case url(String)

        /// Creates the image of a request.
        ///
        /// - Parameters:
        ///   - bytes: The uploaded image; empty for none.
        ///   - url: The value of the parameter `url`; nil for none.
        ///   - takesUploads: Whether the request may contain an upload; if so, error messages mention uploads.
        /// - Throws: An error that names `url` if there is neither an upload nor a URL, or if there are both.
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
    /// The path, which distinguishes the result from the results of other routes.
    let path: String
    /// The deadline for the start of work on the image.
    let deadline: ContinuousClock.Instant
    /// The limits and the accounting of the job; by default only the limits of the service.
    var limits = JobLimits()
    /// The limits of fetches; by default only the limits of the service.
    var fetchLimits = FetchLimits()
    /// Whether the result is cached; false for an upload, because uploads are rarely repeated.
    var isCacheable = false
    /// Signs the URLs in markup; nil if the service does not require signatures.
    var signer: LinkSigner?
    /// The translation of a URL in another service's syntax; nil for all other requests.
    var translation: Translation?
    /// The memory reserved for a decoded upload; nil for other images.
    var share: ByteShare?
    /// The file name of an upload, as sent; nil for none.
    var fileName: String?
    /// Whether a program writes the images to files.
    ///
    /// If so, problems do not describe the body of a request, and a result without a detection is a failure.
    let isForFiles: Bool
    /// Whether the client is in a private network.
    ///
    /// If so, a problem may state why the source is missing.
    var isFromPrivateNetwork = false

    /// Creates a request that is not cached and whose client does not have limits.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - parameters: The parameters, read for the route.
    ///   - route: The kind of result.
    ///   - path: The path, which distinguishes the result from results of other routes.
    ///   - accept: The accepted media types, in the syntax of the `Accept` field; nil for all.
    ///   - takesJSON: Whether `accept` may select JSON instead of an image.
    ///   - deadline: The deadline for the start of work on the image.
    /// - Throws: A ``Problem`` with status 400.
    init(
        _ image: Image,
        _ parameters: FrameParameters,
        route: ImageRoute,
        path: String,
        accept: String?,
        takesJSON: Bool = true,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        negotiation = Negotiation(parameters.format, accept: accept, route: route, takesJSON: takesJSON)
        if let error = route.refusal(of: parameters, form: negotiation.form)
            ?? negotiation.refusal(of: parameters.options.aspects)
        {
            throw Problem(ParameterErrors(all: [error]).named(as: parameters.deprecated))
        }
        self.image = image
        self.parameters = parameters
        self.route = route
        self.path = path
        self.deadline = deadline
        isForFiles = false
    }

    /// Creates a request of a program that writes the images to files.
    ///
    /// - Parameters:
    ///   - bytes: The image.
    ///   - parameters: The parameters, read for ``ImageRoute/frame``.
    ///   - wantsImages: Whether images are made in addition to the plan.
    ///   - deadline: The deadline for the start of work on the image.
    init(
        forFiles bytes: SourceBytes,
        _ parameters: FrameParameters,
        wantsImages: Bool,
        deadline: ContinuousClock.Instant
    ) {
        image = .bytes(bytes)
        self.parameters = parameters
        route = .frame
        negotiation = Negotiation(files: parameters, wantsImages: wantsImages)
        path = "/frame"
        self.deadline = deadline
        isForFiles = true
    }

    /// The client whose fair shares of queues and budgets the request uses; nil if the client is unknown.
    var client: Client? { limits.client }

    /// Whether the result shows crops.
    ///
    /// The log then contains the decisions of the crops.
    var showsCrops: Bool { route != .faces || [.archive, .parts].contains(negotiation.form) }
}
