extension Parameter {
    /// All parameters, in the order of the documentation and of messages.
    package static let all: [Parameter] = [url, preset, page, frame] + groups.dropFirst().flatMap(\.rows) + [version]

    /// The parameters by topic, as in docs/parameters.md.
    package static let groups: [(title: String, rows: [Parameter])] = [
        ("Source", [url, preset, page, frame, version]),
        ("Shape and size", [aspect, width, height, dpr, enlarge, fit, boxOrientation, background]),
        ("Crop", [region, trim, gravity, offset, focus, fallback, zoom, padding, place]),
        ("Changes to the image", [rotate, flip, mask, chromaKey, tolerance, spill, backdrop, backdropURL, filter]),
        ("Watermark", [watermark, watermarkPosition, watermarkWidth, watermarkOpacity, watermarkMargin]),
        ("Detection", [accuracy, minFace]),
        (
            "Changes to faces",
            [upright, align, eyes, eyeDistance, overlay, redact, redactFaces, redactShape, redactAreas]
        ),
        (
            "Response",
            [
                format, quality, chroma, progressive, maxBytes, metadata, losslessCrop, profile, hdr, animation, motion,
                lookAhead, layout, placeholder, download,
            ]
        ),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Returns the parameter with a name, which is case-sensitive; nil if it does not exist.
    package static func named(_ name: String) -> Parameter? { byName[name] }

    /// Returns the parameters that affect at least one of the responses.
    package static func of(_ routes: Routes) -> [Parameter] { all.filter { !$0.routes.isDisjoint(with: routes) } }
}

/// Parameters for the source.
extension Parameter {
    package static let url = Parameter(
        "url",
        .address { $0 },
        sets: \.url,
        routes: .all,
        help: "URL of the source.",
        link: "sources.md"
    )

    package static let preset = Parameter(
        "preset",
        .text(
            expected: "the name of a preset: at most \(Preset.maxNameLength) letters a to z, digits and hyphens",
            listed: "a name from `--presets`",
            placeholder: "name",
            pattern: "[a-z0-9-]{1,\(Preset.maxNameLength)}"
        ) { Preset.isName($0) ? $0 : nil },
        sets: \.preset,
        routes: .all,
        help:
            "Named set of parameters, defined by the operator. Explicit parameters override it.",
        link: "presets.md",
        control: .control("Preset", in: .animation, placeholder: "avatar")
    )

    package static let page = Parameter(
        "page",
        .whole(1...FrameParameters.maxPage, digits: "[1-9][0-9]{0,3}"),
        default: "1",
        sets: \.page,
        routes: [.frame, .portraits, .list, .annotated],
        help: "Page of a document. Only for files read by a converter.",
        link: "converters.md#pages-and-frames",
        control: .control("Page", in: .areas, placeholder: "1")
    )

    package static let frame = Parameter(
        "frame",
        .text(
            expected: FrameTime.expected,
            listed: "`0s` to `\(FrameTime.maxSeconds)s`, such as `2.5s`",
            placeholder: "time",
            pattern: FrameTime.pattern,
            FrameTime.init
        ),
        default: "0s",
        sets: \.frame,
        routes: [.frame, .portraits, .list, .annotated],
        help: "Position of a video's frame in seconds. Only for files read by a converter.",
        link: "converters.md#pages-and-frames",
        control: .control("Frame", in: .areas, placeholder: "0s")
    )

    package static let version = Parameter(
        "v",
        .text(
            expected: "at most \(FrameParameters.maxVersionLength) characters",
            listed: "any text of up to \(FrameParameters.maxVersionLength) characters",
            schema: "type: string, maxLength: \(FrameParameters.maxVersionLength)",
            memberSchema: "type: [string, number], maxLength: \(FrameParameters.maxVersionLength)",
            types: .init(python: "str", typeScript: "string | number"),
            takesUnicode: true
        ) { $0.unicodeScalars.count <= FrameParameters.maxVersionLength ? $0 : nil },
        sets: \.version,
        routes: [.frame, .portraits, .list],
        help:
            "Version of the source. Change it when the image at the URL changes. Caches keep each version for a year.",
        control: .control("Version", in: .animation, placeholder: "2024-06-01")
    )
}
