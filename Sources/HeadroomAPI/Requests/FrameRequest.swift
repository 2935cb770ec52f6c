import FoundationEssentials
import HTTPServer
import HTTPTypes
import Pipeline
import Requests

/// The image and the parameters of a request for `/frame` or `/faces`.
struct FrameRequest {
    /// The location of the image: a URL or the uploaded bytes.
    enum Image {
        case bytes(SourceBytes)
        case url(String)
    }

    let image: Image
    let parameters: FrameParameters

    /// Parses the query and, for a `POST`, the body: an image, a form, or a JSON object.
    ///
    /// - Parameters:
    ///   - request: The request for a picture.
    ///   - query: The parsed query of the request.
    ///   - grant: The request's grant.
    ///   - known: The parameters that the route supports.
    ///   - presets: The presets that requests may name.
    /// - Throws: A ``Problem``.
    init(
        _ request: ServerRequest,
        query: SignedQuery,
        grant: Grant,
        known: [Parameter],
        presets: PresetSet
    ) throws(Problem) {
        var pairs = query.pairs
        if case .preset(let name)? = Route(path: request.path) { pairs.append((Parameter.preset.name, name)) }
        var bytes: SourceBytes = []
        if request.method == .post {
            try grant.check(body: request.body)
            let body = try RequestBody(request)
            guard body.pairs.isEmpty || grant.allowsParametersInBody else { throw .unsignedParameters }
            pairs += body.pairs
            bytes = body.image
        }
        do throws(ParameterErrors) {
            let allowed = grant.tenant?.allowedPresets
            parameters = try FrameParameters(
                pairs,
                known: known,
                presets: presets,
                allowedPresets: allowed,
                hints: ClientHints(request.headers)
            )
            image = try Self.image(bytes, url: parameters.url, method: request.method)
        } catch {
            throw Problem(error)
        }
    }

    /// Reads the parameters of a translated address.
    ///
    /// - Throws: A ``Problem``.
    init(_ translation: Translation, known: [Parameter]) throws(Problem) {
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        do throws(ParameterErrors) {
            let url = (name: Parameter.url.name, value: translation.source)
            parameters = try FrameParameters([url] + pairs, known: known)
        } catch {
            throw Problem(error)
        }
        image = .url(translation.source)
    }

    /// Reads parameters and uploaded bytes that came without HTTP, as those of a `POST`.
    ///
    /// - Throws: A ``Problem``.
    init(
        _ pairs: [(name: String, value: String)],
        _ bytes: SourceBytes,
        known: [Parameter]
    ) throws(Problem) {
        do throws(ParameterErrors) {
            parameters = try FrameParameters(pairs, known: known, hints: nil)
            image = try Self.image(bytes, url: parameters.url, method: .post)
        } catch {
            throw Problem(error)
        }
    }

    private static func image(
        _ bytes: SourceBytes,
        url: String?,
        method: HTTPRequest.Method
    ) throws(ParameterErrors) -> Image {
        switch (bytes.isEmpty, url) {
        case (true, let url?):
            return .url(url)
        case (false, nil):
            return .bytes(bytes)
        case (false, let url?):
            let expected = "either an image in the body or url, not both"
            throw ParameterErrors(all: [ParameterError(name: "url", received: url, expected: expected)])
        case (true, nil):
            let expected =
                method == .post
                ? "an image as the body, as the field image of a form, or a url"
                : "the http or https address of an image; or POST the image itself"
            throw ParameterErrors(all: [ParameterError(name: "url", received: nil, expected: expected)])
        }
    }
}
