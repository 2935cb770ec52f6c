/// The parameters of all routes; a query, a form and a JSON object use the same names.
package enum ParameterName: String, CaseIterable, Sendable {
    case url
    case aspect
    case width
    case height
    case dpr
    case enlarge
    case fit
    case box
    case background
    case region
    case trim
    case gravity
    case focus
    case fallback
    case zoom
    case padding
    case place
    case rotate
    case flip
    case key
    case tolerance
    case spill
    case backdrop
    case backdropURL = "backdropUrl"
    case filter
    case accuracy
    case minFace
    case upright
    case align
    case eyes
    case overlay
    case redact
    case redactFaces
    case redactShape
    case redactAreas
    case format
    case quality
    case chroma
    case progressive
    case maxBytes
    case metadata
    case lossless
    case profile
    case animation
    case motion
    case lookAhead
    /// Any text; distinguishes the addresses of different versions of a picture.
    case version = "v"

    /// The known name closest to a misspelt one; nil when none is similar.
    package static func nearest(to name: String, among names: [ParameterName]) -> ParameterName? {
        NearestWord.nearest(to: name, among: names.map(\.rawValue)).flatMap(ParameterName.init)
    }
}
