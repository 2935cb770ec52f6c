import Imaging
import Pipeline

private typealias Format = FrameParameters.Format

/// Parameters for the response.
extension Parameter {
    package static let format = Parameter(
        "format",
        .text(
            expected: "one of \(Format.words.joined(separator: ", "))",
            listed: ParameterValues.code(Format.words),
            placeholder: "type",
            words: Format.accepted(Format.ofFrame),
            Format.init
        ),
        default: "auto",
        sets: \.format,
        routes: .all,
        help: "Format of the response.",
        link: "responses.md",
        variants: [
            .init(
                routes: [.list, .annotated],
                component: "facesFormat",
                values: .words(Format.accepted(Format.ofFaces))
            ),
            .init(routes: .portraits, component: "faceFormat", values: .words(Format.accepted(Format.ofFace))),
            .init(routes: .stream, component: "streamFormat", values: .words(Format.accepted(Format.ofStream))),
        ],
        control: .control("Format", in: .file, words: ["auto", "source"] + Format.images)
    )

    package static let quality = Parameter(
        "quality",
        .text(
            expected: "a whole number from 1 to 100, source or auto",
            listed: "1 to 100, `source`, `auto`",
            placeholder: "n",
            schema: "type: [integer, string], minimum: 1, maximum: 100, pattern: '^(source|auto)$'",
            memberSchema:
                "type: [integer, string], minimum: 1, maximum: 100, pattern: '^(source|auto|[1-9][0-9]?|100)$'",
            types: .init(
                python: "Union[int, Literal[\"source\", \"auto\"]]",
                typeScript: "number | \"source\" | \"auto\""
            )
        ) { text -> ImageQuality? in
            if text == "source" { return .source }
            return Int(plainDigits: text).flatMap { (1...100).contains($0) ? .level($0) : nil }
        },
        default: .described("\(ImageEncoder.defaultQuality)"),
        sets: \.quality,
        routes: [.frame, .portraits, .annotated, .stream],
        help:
            "1 to 100, with the same visual quality in JPEG, WebP, AVIF and GIF. source: quality of the JPEG source. auto: "
            + "lower if the client sends Save-Data.",
        commandHelp:
            "1 to 100, with the same visual quality in JPEG, WebP, AVIF and GIF. source: quality of the JPEG source.",
        link: "quality.md#one-quality-for-all-formats",
        variants: [
            .init(routes: .stream, component: "streamQuality", values: .init(kind: .whole(1...100), placeholder: "n"))
        ],
        control: .control("Quality", in: .file, placeholder: "82")
    )

    package static let chroma = Parameter(
        "chroma",
        .word,
        default: "auto",
        sets: \.chroma,
        routes: .images,
        help: "Chroma subsampling of JPEG and AVIF. auto: 444 at quality 90 and above, otherwise 420.",
        link: "quality.md#chroma",
        control: .control("Chroma", in: .file)
    )

    package static let progressive = Parameter(
        "progressive",
        .boolean,
        default: "false",
        sets: \.isProgressive,
        routes: .images,
        help: "Write progressive JPEG: smaller, slower to encode.",
        link: "quality.md#progressive-jpeg",
        control: .control("Progressive", in: .file)
    )

    package static let maxBytes = Parameter(
        "maxBytes",
        .whole(1...FrameParameters.maxBytes, "bytes", digits: "[1-9][0-9]{0,8}", placeholder: "bytes"),
        sets: \.maxBytes,
        routes: .images,
        help: "Maximum output size in bytes. The quality is reduced until the output fits.",
        link: "quality.md#a-limit-of-bytes",
        control: .control("Maximum bytes", in: .file)
    )

    package static let metadata = Parameter(
        "metadata",
        .word,
        default: "none",
        sets: \.metadata,
        routes: .images,
        help: "Source metadata to keep. copyright: artist, copyright and credit.",
        link: "formats.md#metadata",
        control: .control("Metadata", in: .file)
    )

    package static let losslessCrop = Parameter(
        "losslessCrop",
        .boolean,
        default: "false",
        sets: \.options.isLossless,
        routes: .images,
        excludes: [
            .isRefused(
                with: [
                    .width, .height, .dpr, .enlarge, .rotate, .flip, .mask, .chromaKey, .filter, .redact, .quality,
                    .chroma,
                    .progressive,
                    .maxBytes,
                ],
                when: \.options.isLossless
            ) { other, _ in "with \(other)" },
            .refuses([.overlay], when: \.options.isLossless) { _, _ in "with losslessCrop=true, which draws nothing" },
        ],
        help: "Crop a JPEG without re-encoding. The crop starts at a block boundary.",
        link: "quality.md#crops-without-loss",
        control: .control("Lossless crop", in: .file)
    )

    package static let profile = Parameter(
        "profile",
        .word,
        default: "srgb",
        sets: \.options.profile,
        routes: [.frame, .portraits, .annotated],
        excludes: [
            .refuses([.overlay], when: { $0.options.profile == .keep }) { _, _ in
                "with profile=keep, because stickers are in sRGB"
            }
        ],
        help: "srgb: convert colours to sRGB. keep: leave the colours and the ICC profile unchanged.",
        link: "formats.md#colour",
        control: .control("Colour profile", in: .file)
    )

    package static let hdr = Parameter(
        "hdr",
        .word,
        default: "sdr",
        sets: \.options.hdr,
        routes: .frame,
        excludes: [
            .refuses(
                [.redact, .filter, .overlay, .chromaKey, .mask, .watermark, .maxBytes, .losslessCrop],
                when: { $0.options.hdr == .keep }
            ) { _, _ in "with hdr=keep, which leaves the pixels unchanged" }
        ],
        help:
            "keep: also crop the gain map of an Ultra HDR photo, so the JPEG is still brighter on HDR displays; colours are "
            + "not converted. sdr: drop the gain map.",
        link: "formats.md#gain-maps",
        control: .control("HDR", in: .file)
    )

    package static let animation = Parameter(
        "animation",
        .word,
        default: "auto",
        sets: \.options.animation,
        routes: .frame,
        help: "auto: keep animations in WebP, GIF and AVIF. still: output the first frame only.",
        link: "formats.md#animations",
        control: .control("Animation", in: .animation)
    )

    package static let motion = Parameter(
        "motion",
        .word,
        default: "fixed",
        sets: \.options.motion,
        routes: .frame,
        excludes: [
            .refuses([.region, .trim, .focus, .redact, .overlay], when: { $0.options.motion == .follow }) { _, _ in
                "with motion=follow"
            }
        ],
        help: "Crop of animations. fixed: one crop for all frames. follow: the crop follows people.",
        link: "formats.md#animations",
        control: .control("Motion", in: .animation)
    )

    package static let placeholder = Parameter(
        "placeholder",
        ParameterForm<PlaceholderKind>.word,
        sets: \.options.placeholder,
        routes: .frame,
        excludes: [
            .refuses([.redact], when: { $0.options.placeholder != nil }) { _, _ in
                "with placeholder, which would show traces of heads"
            }
        ],
        help:
            "Adds a ThumbHash or BlurHash and the dominant colour of each crop to the plan.",
        link: "responses.md#placeholders",
        control: .control("Placeholder", in: .file)
    )

    package static let download = Parameter(
        "download",
        .text(
            expected: DownloadName.form,
            listed: "`portrait`, `portrait.jpg`, `true`",
            placeholder: "name",
            schema: "type: string, pattern: '^[^/:*?<>|]+$', maxLength: \(DownloadName.maxCharacters)",
            takesUnicode: true,
            DownloadName.init
        ),
        sets: \.download,
        routes: [.frame, .portraits, .list, .annotated],
        help:
            "File name for saving in browsers. true: the name of the source. The extension is set to match the output format.",
        link: "responses.md#download",
        control: .control("Download as", in: .file, placeholder: "portrait")
    )

    package static let lookAhead = Parameter(
        "lookAhead",
        .decimal(0...FrameParameters.maxLookAhead),
        default: "0",
        sets: \.lookAhead,
        routes: .stream,
        help: "Delay of the stream in seconds. A longer delay makes the crop smoother.",
        link: "stream.md#delay"
    )

    package static let layout = Parameter(
        "layout",
        .word,
        default: "follow",
        sets: \.layout,
        routes: .stream,
        help:
            "follow: one crop that keeps the most heads. hold: the active speaker. wide: the whole frame on a blurred "
            + "background.",
        link: "stream.md#layouts"
    )
}
