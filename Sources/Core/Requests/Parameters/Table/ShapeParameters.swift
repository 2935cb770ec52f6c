import Framing
import Geometry
import Imaging
import Pipeline

/// Parameters for aspect ratio and size.
extension Parameter {
    package static let aspect = Parameter(
        "aspect",
        .text(
            expected:
                "width:height or one number, from 1:100 to 100:1, such as 16:9 or 1.5, at most \(FrameParameters.maxAspects), "
                + "separated by commas; or faces",
            listed: "`16:9`, `1.91:1`, `1.5`, `faces`; a list `16:9,1:1` for JSON and HTML",
            placeholder: "ratio",
            pattern: "(faces|[0-9.]+(:[0-9.]+)?(,[0-9.]+(:[0-9.]+)?)*)",
            memberSchema:
                "anyOf: [{ type: string, pattern: '^(faces|[0-9.]+(:[0-9.]+)?(,[0-9.]+(:[0-9.]+)?)*)$' }, { type: number, minimum: 0.01, maximum: 100 }]",
            types: .init(
                python: "Union[str, float, list[str]]",
                typeScript: "string | number | readonly (string | number)[]"
            ),
            ShapeChoice.init
        ),
        default: .described("the ratio of `width` to `height`, or without both the source's"),
        sets: \.parts.aspects,
        routes: [.frame, .portraits, .stream],
        help:
            "Aspect ratio of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1. A comma-separated list "
            + "gives one crop per ratio, in plans and HTML. faces: the bounding box of all heads with `padding`.",
        commandHelp:
            "Aspect ratio of the crop, width to height: 16:9, 1.91:1 or 1.5, from 1:100 to 100:1. A comma-separated list "
            + "gives one crop per ratio, with --json and in batches. faces: the bounding box of all heads with `padding`.",
        variants: [.init(routes: .portraits, component: "faceAspect")],
        control: .control("Aspect", in: .size, placeholder: "16:9")
    )

    package static let width = Parameter(
        "width",
        SideChoice.form(takesHints: true),
        sets: \.parts.width,
        routes: [.frame, .portraits, .stream],
        help:
            "Output width in pixels, or a percentage of the width of the source or `region`, for example 50%. auto: from "
            + "client hints.",
        commandHelp:
            "Output width in pixels, or a percentage of the width of the source or `region`, for example 50%.",
        link: "caching.md#client-hints",
        variants: [
            .init(
                routes: .stream,
                component: "streamWidth",
                values: .init(kind: .whole(1...FrameParameters.maxSide), placeholder: "px")
            )
        ],
        control: .control("Width", in: .size, placeholder: "pixels")
    )

    package static let height = Parameter(
        "height",
        SideChoice.form(),
        sets: \.parts.height,
        routes: [.frame, .portraits, .stream],
        help: "Output height in pixels, or a percentage of the height of the source or `region`, for example 50%.",
        control: .control("Height", in: .size, placeholder: "pixels")
    )

    package static let dpr = Parameter(
        "dpr",
        .decimal(0.1...5, digits: #"0\.[1-9][0-9]*|[1-4](\.[0-9]+)?|5(\.0+)?"#, takesHints: true),
        default: "1",
        sets: \.options.resultSize.devicePixelRatio,
        routes: .images,
        excludes: [
            .isRefused(with: [.width], when: { $0.hinted.contains(.width) }) { _, _ in
                "with width=auto, which already includes the pixel ratio"
            }
        ],
        help: "Device pixel ratio. Multiplies `width` and `height`. auto: from client hints.",
        commandHelp: "Device pixel ratio. Multiplies `width` and `height`.",
        link: "caching.md#client-hints",
        control: .control("Pixel ratio", in: .bars, placeholder: "1")
    )

    package static let enlarge = Parameter(
        "enlarge",
        .boolean,
        default: "false",
        sets: \.options.resultSize.allowsEnlargement,
        routes: .images,
        help: "Allow the output to be larger than the crop.",
        control: .control("Enlarge", in: .bars)
    )

    package static let fit = Parameter(
        "fit",
        .word,
        default: "cover",
        sets: \.options.framing.fit,
        routes: .frame,
        excludes: [
            .refuses([.aspect], when: \.options.framing.fit.keepsShape) { _, parameters in
                "with fit=\(parameters.options.framing.fit.rawValue), which keeps the source's aspect ratio"
            },
            .refuses([.focus], when: \.options.framing.fit.showsWhole) { _, parameters in
                "with fit=\(parameters.options.framing.fit.rawValue), which shows the whole image"
            },
        ],
        help:
            "Fit of the source to the requested size. cover: crop. limit: crop, but never exceed the source's sides. crop: "
            + "cut out `width` × `height` without scaling. inside: whole image within the size. outside: whole image covering "
            + "the size. fill: stretch. pad: whole image with bars. auto: bars only if a crop would cut a head.",
        link: "framing.md#the-whole-image",
        control: .control("Fit", in: .size)
    )

    package static let boxOrientation = Parameter(
        "boxOrientation",
        ParameterForm<BoxChoice>.word,
        default: "fixed",
        sets: \.parts.box,
        routes: .frame,
        excludes: [
            .isRefused(with: [.aspect], when: { $0.parts.box != .fixed }) { _, _ in "with aspect" }
        ],
        help:
            "Handling of images whose orientation differs from the requested size. swap: exchange `width` and `height`. "
            + "inside: show the whole image within the size. fixed: nothing.",
        control: .control("Box orientation", in: .bars)
    )

    package static let background = Parameter(
        "background",
        .text(
            expected: "a colour such as ffffff or fff in hexadecimal digits, transparent, blur or average",
            listed: "`ffffff`, `fff`, `transparent`, `blur`, `average`",
            placeholder: "word",
            pattern: "(#?[0-9A-Fa-f]{3}|#?[0-9A-Fa-f]{6}|transparent|blur|average)",
            Background.init
        ),
        default: "ffffff",
        sets: \.options.background,
        routes: .images,
        help:
            "Fill for bars and transparent pixels: a colour such as ffffff, transparent, blur (the blurred image) or "
            + "average (its mean colour).",
        control: .control("Background", in: .bars, placeholder: "ffffff")
    )
}
