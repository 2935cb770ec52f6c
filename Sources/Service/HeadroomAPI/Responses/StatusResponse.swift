import HTTPServer
import HTTPTypes
import Requests
import UntrustedText

/// Responses about the service itself, which do not need a worker.
package enum StatusResponse {
    static let alive = text("ok\n", status: .ok)

    package static let openAPI = openAPI(PackageResources.openapi_yaml)

    private static func openAPI(_ body: [UInt8]) -> StaticDocument {
        StaticDocument(body, [.contentType: "application/yaml", .cacheControl: "public, max-age=3600"])
    }

    /// The server in the OpenAPI description.
    private static let server =
        "  - url: http://localhost:8080\n    description: The default address of `headroom serve`.\n"

    /// Returns the OpenAPI description of a service below a prefix; the prefix is the URL of its server.
    static func openAPI(below prefix: PathPrefix) -> StaticDocument {
        let text = String(decoding: openAPI.body, as: UTF8.self)
        let own = "  - url: \(prefix)\n    description: This service.\n"
        return openAPI(Array(text.bytes.replacing(server, with: own).utf8))
    }

    /// Returns a file of the playground.
    static func playground(_ file: PlaygroundFile) -> StaticDocument { files[file] ?? document(file) }

    /// Returns the page of the playground with the public URL of the service.
    static func playground(publicURL: String) -> StaticDocument {
        let page = String(decoding: PlaygroundFile.page.bytes, as: UTF8.self)
        let field = "<meta name=\"public-url\" content=\""
        let text = page.bytes.replacing(field, with: field + HTMLText.escaped(publicURL))
        return document(.page, Array(text.utf8))
    }

    private static let files = Dictionary(
        uniqueKeysWithValues: PlaygroundFile.paths.map(PlaygroundFile.init).map { ($0, document($0)) }
    )

    private static func document(_ file: PlaygroundFile, _ bytes: [UInt8]? = nil) -> StaticDocument {
        let headers: HTTPFields = [
            .contentType: file.mediaType,
            .cacheControl: "no-cache",
            .contentSecurityPolicy: PlaygroundFile.contentSecurityPolicy,
        ]
        return StaticDocument(bytes ?? file.bytes, headers)
    }

    /// Returns the response to `OPTIONS`, which lists the methods of a route.
    static func methods(_ methods: [HTTPRequest.Method]) -> ServerResponse {
        ServerResponse(status: .noContent, headers: [.allow: HTTPRequest.Method.list(methods)])
    }

    /// Returns the response that redirects clients to another URL, with the same method.
    static func redirect(to address: String) -> ServerResponse {
        ServerResponse(status: .permanentRedirect, headers: [.location: address, .cacheControl: "no-cache"])
    }

    /// Returns a plain-text response that caches must not store.
    static func text(_ text: String, status: HTTPResponse.Status) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: Array(text.utf8)
        )
    }
}
