import Requests

/// A file of the playground: the page at `/` on which people try the service in a browser, and its page of a clip.
package enum PlaygroundFile: String, CaseIterable, Sendable {
    case page = "/"
    case style = "/playground/style.css"
    case icon = "/playground/icon.svg"
    case sample = "/playground/scene.jpg"
    case app = "/playground/app.js"
    case cards = "/playground/cards.js"
    case clip = "/playground/clip.html"
    case clipStyle = "/playground/clip.css"
    case clipApp = "/playground/clip.js"
    case clipFrames = "/playground/clip-frames.js"
    case clipPlan = "/playground/clip-plan.js"
    case controls = "/playground/controls.js"
    case copy = "/playground/copy.js"
    case drawing = "/playground/drawing.js"
    case focal = "/playground/focal.js"
    case formats = "/playground/formats.js"
    case incoming = "/playground/incoming.js"
    case messages = "/playground/messages.js"
    case parameters = "/playground/parameters.js"
    case picture = "/playground/picture.js"
    case plan = "/playground/plan.js"
    case result = "/playground/result.js"
    case service = "/playground/service.js"
    case state = "/playground/state.js"
    case parametersDocument = "/playground/parameters.md"
    case responsesDocument = "/playground/responses.md"
    case planDocument = "/playground/plan.md"
    case problemsDocument = "/playground/problems.md"

    /// The sources from which the pages may load and run content: their own files, responses of this service, and
    /// pictures and videos in the memory of the browser.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// The media type.
    package var mediaType: String {
        if rawValue.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        // Browsers save Markdown of its own type instead of showing it.
        if rawValue.hasSuffix(".md") { return "text/plain; charset=utf-8" }
        return switch self {
        case .style, .clipStyle: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        case .sample: "image/jpeg"
        default: "text/html; charset=utf-8"
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
        case .cards: PackageResources.cards_js
        case .clip: PackageResources.clip_html
        case .clipStyle: PackageResources.clip_css
        case .clipApp: PackageResources.clip_js
        case .clipFrames: PackageResources.clip_frames_js
        case .clipPlan: PackageResources.clip_plan_js
        case .controls: PackageResources.controls_js
        case .copy: PackageResources.copy_js
        case .drawing: PackageResources.drawing_js
        case .focal: PackageResources.focal_js
        case .formats: PackageResources.formats_js
        case .incoming: PackageResources.incoming_js
        case .messages: PackageResources.messages_js
        case .parameters: PackageResources.parameters_js
        case .picture: PackageResources.picture_js
        case .plan: PackageResources.plan_js
        case .result: PackageResources.result_js
        case .service: PackageResources.service_js
        case .state: PackageResources.state_js
        case .parametersDocument: PackageResources.parameters_md
        case .responsesDocument: PackageResources.responses_md
        case .planDocument: PackageResources.plan_md
        case .problemsDocument: PackageResources.problems_md
        }
    }
}
