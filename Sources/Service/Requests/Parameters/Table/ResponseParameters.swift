import Imaging
import Pipeline

private typealias Format = FrameParameters.Format

/// The response.
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
            "The same to the eye in every format that has one, JPEG, WebP, AVIF and GIF: 1 to 100, or source: "
            + "the quality of a JPEG picture, or auto: lower for clients that save data.",
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
        routes: .pictures,
        help: "Chroma of JPEG and AVIF; auto is 444 from quality 90 on.",
        link: "quality.md#chroma",
        control: .control("Chroma", in: .file)
    )

    package static let progressive = Parameter(
        "progressive",
        .boolean,
        default: "false",
        sets: \.isProgressive,
        routes: .pictures,
        help: "Whether a JPEG is progressive, which is smaller and slower to write.",
        link: "quality.md#progressive-jpeg",
        control: .control("Progressive", in: .file)
    )

    package static let maxBytes = Parameter(
        "maxBytes",
        .whole(1...FrameParameters.mostBytes, "bytes", digits: "[1-9][0-9]{0,8}", placeholder: "bytes"),
        sets: \.maxBytes,
        routes: .pictures,
        help: "Largest size of the result in bytes; the quality is lowered as far as necessary.",
        link: "quality.md#a-limit-of-bytes",
        control: .control("Most bytes", in: .file)
    )

    package static let metadata = Parameter(
        "metadata",
        .word,
        default: "none",
        sets: \.metadata,
        routes: .pictures,
        help: "Metadata of the source that are kept; copyright is artist, copyright and credit.",
        link: "formats.md#metadata",
        control: .control("Metadata", in: .file)
    )

    package static let lossless = Parameter(
        "lossless",
        .boolean,
        default: "false",
        sets: \.options.isLossless,
        routes: .pictures,
        excludes: [
            .isRefused(
                with: [
                    .width, .height, .dpr, .enlarge, .rotate, .flip, .mask, .key, .filter, .redact, .quality, .chroma,
                    .progressive,
                    .maxBytes,
                ],
                when: \.options.isLossless
            ) { other, _ in "lossless=true without \(other)" },
            .refuses([.overlay], when: \.options.isLossless) { _, _ in
                "no overlay with lossless=true, which draws nothing"
            },
        ],
        help: "Whether the crop is cut out of a JPEG without encoding its pixels again; it starts at a block boundary.",
        link: "quality.md#crops-without-loss",
        control: .control("Lossless", in: .file)
    )

    package static let profile = Parameter(
        "profile",
        .word,
        default: "srgb",
        sets: \.options.profile,
        routes: [.frame, .portraits, .annotated],
        excludes: [
            .refuses([.overlay], when: { $0.options.profile == .keep }) { _, _ in
                "no overlay with profile=keep, because stickers are in sRGB"
            }
        ],
        help: "srgb converts colours to sRGB; keep leaves them and the picture's colour profile as they are.",
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
                [.redact, .filter, .overlay, .key, .mask, .mark, .maxBytes, .lossless],
                when: { $0.options.hdr == .keep }
            ) { other, _ in "no \(other) with hdr=keep, which keeps the picture as it is" }
        ],
        help:
            "keep crops the gain map of an Ultra HDR photograph with it, for a JPEG that is brighter on HDR displays, in "
            + "the picture's colour profile; sdr drops it.",
        link: "formats.md#gain-maps",
        control: .control("HDR", in: .file)
    )

    package static let animation = Parameter(
        "animation",
        .word,
        default: "auto",
        sets: \.options.animation,
        routes: .frame,
        help: "auto keeps an animation in WebP, GIF and AVIF; still shows its first picture.",
        link: "formats.md#animations",
        control: .control("Animation", in: .animation)
    )

    package static let motion = Parameter(
        "motion",
        .word,
        default: "still",
        sets: \.options.motion,
        routes: .frame,
        excludes: [
            .refuses([.region, .trim, .focus, .redact, .overlay], when: { $0.options.motion == .follow }) { other, _ in
                "no \(other) with motion=follow"
            }
        ],
        help: "still has one crop for all frames of an animation; follow moves it with people.",
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
                "no redact with placeholder, which shows traces of heads"
            }
        ],
        help:
            "What the plan has for each crop until its picture is loaded: a hash of that kind, and the dominant colour.",
        link: "responses.md#placeholders",
        control: .control("Placeholder", in: .file)
    )

    package static let download = Parameter(
        "download",
        .text(
            expected: DownloadName.form,
            listed: "`portrait`, `portrait.jpg`",
            placeholder: "name",
            schema: "type: string, pattern: '^[^/:*?<>|]+$', maxLength: \(DownloadName.mostCharacters)",
            takesUnicode: true,
            DownloadName.init
        ),
        sets: \.download,
        routes: [.frame, .portraits, .list, .annotated],
        help:
            "Name of the file as which browsers save the response; its extension becomes that of the result's format.",
        link: "responses.md#download",
        control: .control("Download as", in: .file, placeholder: "portrait")
    )

    package static let lookAhead = Parameter(
        "lookAhead",
        .decimal(0...FrameParameters.mostLookAhead),
        default: "0",
        sets: \.lookAhead,
        routes: .stream,
        help: "Seconds by which the frames of a stream are delayed, for a smoother crop.",
        link: "stream.md#delay"
    )

    package static let layout = Parameter(
        "layout",
        .word,
        default: "follow",
        sets: \.layout,
        routes: .stream,
        help:
            "follow: one crop with the most heads; hold: one person until another has the floor; wide: the whole picture on "
            + "a blurred ground.",
        link: "stream.md#layouts"
    )
}
