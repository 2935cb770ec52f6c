import Requests
import ArgumentParser
import Pipeline

/// The options for crops, with the names of the HTTP parameters.
///
/// All options are unparsed text: ``ImageSettings`` validates them together, so that all errors are reported at once.
struct ImageOptions: ParsableArguments {
    static let inputsHelp: String = "Images, folders of images, or - for standard input."

    @Option(.aspect) var aspect: String?
    @Option(.width) var width: String?
    @Option(.height) var height: String?
    @Option(.dpr) var dpr: String?
    @Flag(.enlarge) var enlarge = false
    @Option(.fit) var fit: String?
    @Option(.boxOrientation) var boxOrientation: String?
    @Option(.background) var background: String?

    @Option(.region) var region: String?
    @Option(.trim) var trim: String?
    @Option(.gravity) var gravity: String?
    @Option(.offset) var offset: String?
    @Option(.focus) var focus: String?
    @Option(.fallback) var fallback: String?
    @Option(.zoom) var zoom: String?
    @Option(.padding) var padding: String?
    @Option(.place) var place: String?

    @Option(.rotate) var rotate: String?
    @Option(.flip) var flip: String?
    @Option(.mask) var mask: String?
    @Option(.chromaKey) var chromaKey: String?
    @Option(.tolerance) var tolerance: String?
    @Option(.spill) var spill: String?
    @Option(.backdrop) var backdrop: String?
    @Option(.filter) var filter: String?

    @Option(.watermark) var watermark: String?
    @Option(.watermarkPosition) var watermarkPosition: String?
    @Option(.watermarkWidth) var watermarkWidth: String?
    @Option(.watermarkOpacity) var watermarkOpacity: String?
    @Option(.watermarkMargin) var watermarkMargin: String?

    @Option(
        "Output format: jpeg, png, webp, avif, gif, debug (the annotated image), or auto (by the output file's extension, "
            + "otherwise the source's format). (default: auto)",
        value: "type"
    )
    var format: String?

    @Option(.quality) var quality: String?
    @Option(.chroma) var chroma: String?
    @Flag(.progressive) var progressive = false
    @Option(.maxBytes) var maxBytes: String?
    @Option(.metadata) var metadata: String?
    @Flag(.losslessCrop) var losslessCrop = false
    @Option(.profile) var profile: String?
    @Option(.hdr) var hdr: String?
    @Option(.animation) var animation: String?
    @Option(.motion) var motion: String?
    @Option(.placeholder) var placeholder: String?

    @OptionGroup(title: "Crop") var redaction: RedactionOptions

    @Option(.overlay) var overlay: String?
    @Option("Folder of stickers and watermarks: docs/overlays.md.", value: "folder")
    var overlays: String?

    @OptionGroup(visibility: .hidden) var deprecated: DeprecatedImageOptions

    /// The options as names and values of a query.
    var pairs: [(name: String, value: String)] {
        givenParameters + redaction.givenParameters + deprecated.givenParameters
    }
}

/// The options with old names, as in ``DeprecatedName``; the help does not contain them.
struct DeprecatedImageOptions: ParsableArguments {
    @Option(.chromaKey) var key: String?
    @Option(.watermark) var mark: String?
    @Option(.watermarkPosition) var markPlace: String?
    @Option(.watermarkWidth) var markWidth: String?
    @Option(.watermarkOpacity) var markOpacity: String?
    @Option(.watermarkMargin) var markMargin: String?
    @Option(.boxOrientation) var box: String?
    @Flag(.losslessCrop) var lossless = false
}
