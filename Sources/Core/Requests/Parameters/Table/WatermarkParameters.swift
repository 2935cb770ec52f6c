import Framing
import Imaging
import Pipeline

/// Parameters for watermarks.
extension Parameter {
    package static let watermark = Parameter(
        "watermark",
        .text(
            expected:
                "the name of an image in --overlays: at most \(OverlayNames.maxNameLength) letters a to z, digits and hyphens",
            listed: "a name from `--overlays`",
            placeholder: "name",
            pattern: OverlayNames.pattern
        ) { OverlayNames.isName($0) ? $0 : nil },
        sets: \.parts.mark,
        routes: .images,
        excludes: [
            .isRefused(with: [.losslessCrop], when: \.options.isLossless) { _, _ in
                "with losslessCrop=true, which draws nothing"
            },
            .isRefused(with: [.profile], when: { $0.options.profile == .keep }) { _, _ in
                "with profile=keep, because watermarks are in sRGB"
            },
        ],
        help: "Name of the watermark to draw. It avoids heads.",
        link: "overlays.md#watermarks",
        control: .control("Watermark", in: .mark, placeholder: "logo")
    )

    package static let watermarkPosition = Parameter(
        "watermarkPosition",
        .word,
        default: "bottom-right",
        sets: \.parts.markPlace,
        routes: .images,
        needs: .watermark,
        help:
            "Position of the watermark. If it would cover a head, it moves to the nearest free corner.",
        link: "overlays.md#watermarks",
        control: .control("Position", in: .mark)
    )

    package static let watermarkWidth = Parameter(
        "watermarkWidth",
        .decimal(Watermark.widths, digits: #"0\.(0[1-9]|[1-9])[0-9]*|1(\.0+)?"#),
        default: "0.2",
        sets: \.parts.markWidth,
        routes: .images,
        needs: .watermark,
        help: "Width of the watermark, as a fraction of the output width.",
        control: .control("Width", in: .mark, placeholder: "0.2")
    )

    package static let watermarkOpacity = Parameter(
        "watermarkOpacity",
        .decimal(0...1, digits: #"0(\.[0-9]+)?|1(\.0+)?"#),
        default: "1",
        sets: \.parts.markOpacity,
        routes: .images,
        needs: .watermark,
        help: "Opacity of the watermark, multiplied by its own alpha.",
        control: .control("Opacity", in: .mark, placeholder: "1")
    )

    package static let watermarkMargin = Parameter(
        "watermarkMargin",
        .text(
            expected:
                "a fraction of the shorter side from 0 to \(Watermark.maxMargin), such as 0.03, or pixels, such as 16px",
            listed: "`0.03` (0 to \(Watermark.maxMargin)), `16px`",
            placeholder: "n",
            pattern: "([0-9.]+|[0-9]+px)",
            memberSchema:
                "type: [number, string], minimum: 0, maximum: \(Watermark.maxMargin), pattern: '^([0-9.]+|[0-9]+px)$'",
            types: .init(python: "Union[float, str]", typeScript: "number | string")
        ) { Length($0, maximum: Watermark.maxMargin) },
        default: "0.03",
        sets: \.parts.markMargin,
        routes: .images,
        needs: .watermark,
        help:
            "Distance of the watermark from the edges: a fraction of the output's shorter side such as 0.03, or pixels such as "
            + "16px.",
        control: .control("Margin", in: .mark, placeholder: "0.03")
    )
}
