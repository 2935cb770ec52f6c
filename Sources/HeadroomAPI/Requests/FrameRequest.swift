import FoundationEssentials
import HTTPServer
import HTTPTypes

/// A request for `/frame` or `/faces`, taken apart: where the image is, and the parameters.
struct FrameRequest {
    /// Where the image is.
    enum Image {
        case bytes([UInt8])
        case url(String)
    }

    let image: Image
    let parameters: FrameParameters

    /// Reads the query and, for a `POST`, the body: an image as it is, a form, or a JSON object.
    ///
    /// - Parameters:
    ///   - request: A request for a picture.
    ///   - query: Its query.
    ///   - grant: Why it may be answered.
    ///   - known: The parameters that the route takes.
    /// - Throws: The ``Problem`` to answer with.
    init(_ request: ServerRequest, query: SignedQuery, grant: Grant, known: [ParameterName]) throws(Problem) {
        do {
            var pairs = query.pairs
            var bytes: [UInt8] = []
            if request.method == .post {
                try grant.check(body: request.body)
                let body = try RequestBody(request)
                guard body.pairs.isEmpty || grant.allowsParametersInBody else { throw Problem.unsignedParameters }
                pairs += body.pairs
                bytes = body.image
            }
            parameters = try FrameParameters(pairs, known: known)
            image = try Self.image(bytes, url: parameters.url, method: request.method)
        } catch let errors as ParameterErrors {
            throw Problem(errors)
        } catch let problem as Problem {
            throw problem
        } catch {
            preconditionFailure("reading a request throws nothing else: \(error)")
        }
    }

    private static func image(
        _ bytes: [UInt8],
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
