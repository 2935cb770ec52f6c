import UntrustedText

/// A file of the playground, a web page at `/` for trying the service in a browser, or of its page for video clips.
package struct PlaygroundFile: Hashable, Sendable {
    /// The paths of all files on the service.
    package static let paths = Set(contents.keys)

    /// Whether an encoded path is one of ``paths``.
    static func contains(path: String) -> Bool {
        guard path.bytes == "/".bytes || path.bytes.hasPrefix("/playground/") else { return false }
        return paths.contains { $0.bytes == path.bytes }
    }

    /// The page at `/`.
    package static let page = PlaygroundFile(path: "/")

    /// The path on the service.
    package let path: String

    /// Creates a reference to the file at one of ``paths``.
    package init(path: String) { self.path = path }

    /// The allowed sources for content that the pages load or run: their own files, responses of this service, and
    /// images and videos in the browser's memory.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    package var mediaType: String {
        switch path.bytes.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "jpg": "image/jpeg"
        default: "text/html; charset=utf-8"
        }
    }

    /// The content; documentation pages are rendered as HTML.
    package var bytes: [UInt8] { Self.contents[path]?() ?? [] }

    private static let contents: [String: @Sendable () -> [UInt8]] = [
        "/": { PackageResources.index_html },
        "/playground/style.css": { PackageResources.style_css },
        "/playground/icon.svg": { PackageResources.icon_svg },
        "/playground/scene.jpg": { PackageResources.scene_jpg },
        "/playground/app.js": { PackageResources.app_js },
        "/playground/cards.js": { PackageResources.cards_js },
        "/playground/clip.html": { PackageResources.clip_html },
        "/playground/clip.css": { PackageResources.clip_css },
        "/playground/clip.js": { PackageResources.clip_js },
        "/playground/clip-frames.js": { PackageResources.clip_frames_js },
        "/playground/clip-plan.js": { PackageResources.clip_plan_js },
        "/playground/controls.js": { PackageResources.controls_js },
        "/playground/copy.js": { PackageResources.copy_js },
        "/playground/drawing.js": { PackageResources.drawing_js },
        "/playground/focal.js": { PackageResources.focal_js },
        "/playground/formats.js": { PackageResources.formats_js },
        "/playground/image.js": { PackageResources.image_js },
        "/playground/incoming.js": { PackageResources.incoming_js },
        "/playground/messages.js": { PackageResources.messages_js },
        "/playground/parameters.js": { PackageResources.parameters_js },
        "/playground/plan.js": { PackageResources.plan_js },
        "/playground/result.js": { PackageResources.result_js },
        "/playground/service.js": { PackageResources.service_js },
        "/playground/state.js": { PackageResources.state_js },
        "/playground/parameters.md": { MarkdownPage.bytes(of: PackageResources.parameters_md) },
        "/playground/responses.md": { MarkdownPage.bytes(of: PackageResources.responses_md) },
        "/playground/plan.md": { MarkdownPage.bytes(of: PackageResources.plan_md) },
        "/playground/problems.md": { MarkdownPage.bytes(of: PackageResources.problems_md) },
    ]
}
