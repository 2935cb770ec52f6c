import Imaging
import Pipeline

/// Parameters for changes to the image.
extension Parameter {
    package static let rotate = Parameter(
        "rotate",
        .text(
            expected: "0, 90, 180 or 270",
            listed: nil,
            placeholder: "degrees",
            schema: "type: integer, enum: [0, 90, 180, 270]",
            memberSchema:
                "anyOf: [{ type: integer, enum: [0, 90, 180, 270] }, { type: string, enum: ['0', '90', '180', '270'] }]",
            words: ["0", "90", "180", "270"],
            types: .init(python: "Literal[0, 90, 180, 270]", typeScript: "0 | 90 | 180 | 270")
        ) { text in [0, 90, 180, 270].first { "\($0)" == text } },
        default: "0",
        sets: \.parts.degrees,
        routes: .images,
        help: "Rotates the output clockwise. `aspect`, `width` and `height` apply after the rotation.",
        control: .control("Rotate", in: .effects)
    )

    package static let flip = Parameter(
        "flip",
        ParameterForm<Flip>.word,
        sets: \.parts.flip,
        routes: .images,
        help: "Mirrors the output, after `rotate`.",
        control: .control("Flip", in: .effects)
    )

    package static let mask = Parameter(
        "mask",
        .text(
            expected:
                "circle, or rounded:N with a fraction of the shorter side from 0 to 0.5, or pixels, such as rounded:24px",
            listed: "`circle`, `rounded:0.1`, `rounded:24px`",
            placeholder: "shape",
            pattern: "(circle|rounded:([0-9.]+|[0-9]+px))",
            ResultMask.init
        ),
        sets: \.options.mask,
        routes: .images,
        help:
            "Outline of the output. circle: the largest ellipse. rounded:N: rounded corners with radius N, a fraction of the "
            + "shorter side (0 to 0.5) or pixels such as 24px. The outside is transparent, or filled with `background`.",
        link: "responses.md#masks",
        control: .control("Mask", in: .effects, placeholder: "circle")
    )

    package static let chromaKey = Parameter(
        "chromaKey",
        .text(
            expected: "a colour that is not grey, such as 00ff00, or auto",
            listed: "`00ff00`, `auto`",
            placeholder: "color",
            pattern: "(auto|#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}))",
            ChromaKey.init
        ),
        sets: \.options.key,
        routes: .images,
        help:
            "Chroma key: the colour to make transparent, such as 00ff00 for a green screen. auto: the colour of the borders.",
        link: "green-screen.md",
        control: .control("Chroma key", in: .key, placeholder: "auto")
    )

    package static let tolerance = Parameter(
        "tolerance",
        .decimal(ChromaKey.tolerances, digits: #"0(\.([0-8][0-9]*|90*))?"#),
        default: "0.25",
        sets: \.parts.tolerance,
        routes: .images,
        needs: .chromaKey,
        help:
            "Maximum difference from the key colour of a pixel that becomes fully transparent. Higher removes more.",
        control: .control("Tolerance of the key", in: .key, placeholder: "0.25")
    )

    package static let spill = Parameter(
        "spill",
        .decimal(0...1, digits: #"0(\.[0-9]+)?|1(\.0+)?"#),
        default: "1",
        sets: \.parts.spill,
        routes: .images,
        needs: .chromaKey,
        help: "Spill suppression: strength of removing the key colour from visible pixels.",
        control: .control("Spill", in: .key, placeholder: "1")
    )

    package static let backdrop = Parameter(
        "backdrop",
        .text(
            expected: "a colour such as 0044cc, or blur",
            listed: "`0044cc`, `blur`",
            placeholder: "word",
            pattern: "(blur|#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}))",
            Backdrop.init
        ),
        sets: \.options.backdrop,
        routes: .images,
        needs: .chromaKey,
        help: "Replacement for the key colour: a colour such as 0044cc, or blur for the blurred image.",
        control: .control("Backdrop", in: .key, placeholder: "0044cc")
    )

    package static let backdropURL = Parameter(
        "backdropUrl",
        .address { _ in Backdrop.image },
        sets: \.options.backdrop,
        routes: .images,
        needs: .chromaKey,
        excludes: [.isRefused(with: [.backdrop]) { _, _ in "with backdrop" }],
        help: "URL of an image that replaces the key colour.",
        control: .control("URL of the backdrop", in: .key, placeholder: "https://example.com/studio.jpg", isWide: true)
    )

    package static let filter = Parameter(
        "filter",
        .text(
            expected: ImageFilter.form,
            listed: ParameterValues.code(ImageFilter.forms),
            placeholder: "list",
            pattern: "\(ImageFilter.pattern)(,\(ImageFilter.pattern)){0,\(ImageFilter.maxCount - 1)}",
            ImageFilter.list
        ),
        sets: \.options.filters,
        routes: .images,
        help: "Filters for the output, separated by commas: \(ImageFilter.forms.joined(separator: ", ")).",
        link: "filters.md",
        control: .control("Filters", in: .effects, placeholder: "sepia,vignette", isWide: true)
    )
}
