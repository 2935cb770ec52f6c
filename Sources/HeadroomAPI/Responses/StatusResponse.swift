package import HTTPServer
import HTTPTypes

/// Responses about the service itself; they need no worker.
package enum StatusResponse {
    static let alive = text("ok\n", status: .ok)

    package static let openAPI = ServerResponse(
        status: .ok,
        headers: [.contentType: "application/yaml", .cacheControl: "public, max-age=3600"],
        body: PackageResources.openapi_yaml
    )

    static func playground(_ file: PlaygroundFile) -> ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [
                .contentType: file.mediaType,
                .cacheControl: "no-cache",
                .contentSecurityPolicy: PlaygroundFile.contentSecurityPolicy,
            ],
            body: file.bytes
        )
    }

    /// The response to `OPTIONS`: the methods of a route.
    static func methods(of route: Route) -> ServerResponse {
        ServerResponse(status: .noContent, headers: [.allow: route.methodList])
    }

    /// Plain text that caches must not store.
    static func text(_ text: String, status: HTTPResponse.Status) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: Array(text.utf8)
        )
    }
}
