/// A file of the playground: the page at `/` on which people try the service in a browser.
package enum PlaygroundFile: String, CaseIterable, Sendable {
    case page = "/"
    case style = "/playground/style.css"
    case icon = "/playground/icon.svg"
    case sample = "/playground/scene.jpg"
    case app = "/playground/app.js"
    case controls = "/playground/controls.js"
    case copy = "/playground/copy.js"
    case drawing = "/playground/drawing.js"
    case parameters = "/playground/parameters.js"
    case service = "/playground/service.js"
    case state = "/playground/state.js"

    /// What the page may load and run: its own files, answers of this service, and pictures that the browser holds.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The media type.
    package var mediaType: String {
        switch self {
        case .page: "text/html; charset=utf-8"
        case .style: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        case .sample: "image/jpeg"
        case .app, .controls, .copy, .drawing, .parameters, .service, .state: "text/javascript; charset=utf-8"
        }
    }

    /// The content.
    package var bytes: [UInt8] {
        switch self {
        case .page: PackageResources.index_html
        case .style: PackageResources.style_css
        case .icon: PackageResources.icon_svg
        case .sample: PackageResources.scene_jpg
        case .app: PackageResources.app_js
        case .controls: PackageResources.controls_js
        case .copy: PackageResources.copy_js
        case .drawing: PackageResources.drawing_js
        case .parameters: PackageResources.parameters_js
        case .service: PackageResources.service_js
        case .state: PackageResources.state_js
        }
    }
}
