extension Parameter {
    /// All parameters, in the order of documents and messages.
    package static let all: [Parameter] = [url, preset] + groups.dropFirst().flatMap(\.rows) + [version]

    /// The parameters by topic, as docs/parameters.md has them.
    package static let groups: [(title: String, rows: [Parameter])] = [
        ("Source", [url, preset, version]),
        ("Shape and size", [aspect, width, height, dpr, enlarge, fit, box, background]),
        ("What the crop shows", [region, trim, gravity, offset, focus, fallback, zoom, padding, place]),
        (
            "Changes to the picture",
            [rotate, flip, mask, key, tolerance, spill, backdrop, backdropURL, filter]
        ),
        ("Watermark", [mark, markPlace, markWidth, markOpacity, markMargin]),
        ("Detection", [accuracy, minFace]),
        (
            "Changes to faces",
            [upright, align, eyes, overlay, redact, redactFaces, redactShape, redactAreas]
        ),
        (
            "Response",
            [
                format, quality, chroma, progressive, maxBytes, metadata, lossless, profile, hdr, animation, motion,
                lookAhead, layout, placeholder, download,
            ]
        ),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The parameter of a name; nil if there is none.
    package static func named(_ name: String) -> Parameter? { byName[name] }

    /// The parameters that have an effect on one of some responses.
    package static func of(_ routes: Routes) -> [Parameter] { all.filter { !$0.routes.isDisjoint(with: routes) } }
}
