import Encodings
import Framing

/// The filters of thumbor and imagor that have a meaning here.
struct ThumborFilters {
    /// The parameters that a filter sets.
    private(set) var values: [(name: ParameterName, value: String)] = []
    /// Filters without an effect.
    private(set) var ignored: [String] = []
    /// The colour beside a picture that does not fill the size.
    private(set) var fill: String?
    private(set) var neverEnlarges = false
    private(set) var enlarges = false
    private(set) var stretches = false
    private(set) var quarters = 0
    private(set) var focal: [String] = []
    private(set) var expires: Int?

    private typealias Reader = @Sendable (inout ThumborFilters, [String]) -> Bool

    /// Reads filters.
    ///
    /// - Throws: A ``Problem`` with status 501 for a filter that is not in the table.
    init(_ filters: [(name: Substring, arguments: Substring)]) throws(Problem) {
        for (name, text) in filters {
            guard let read = Self.table[String(name)] else { throw .unsupported(option: String(name)) }
            let decoded = PercentEncoding.decoded(Array(text.utf8)) ?? String(text)
            let arguments = decoded.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0.filter { $0 != " " })
            }
            // thumbor ignores a filter whose arguments are invalid.
            if !read(&self, arguments) { ignored.append(String(name)) }
        }
    }

    private static let table: [String: Reader] = [
        "quality": { filters, arguments in
            guard let quality = Int(plainDigits: arguments[0]) else { return false }
            filters.set(.quality, "\(min(max(quality, 1), 100))")
            return true
        },
        "format": { filters, arguments in
            let formats = ["png": "png", "jpeg": "jpeg", "jpg": "jpeg", "gif": "gif", "webp": "webp", "avif": "avif"]
            guard let format = formats[arguments[0].lowercased()] else { return false }
            filters.set(.format, format)
            return true
        },
        "max_bytes": { filters, arguments in
            guard let bytes = Int(plainDigits: arguments[0]), (1...FrameParameters.mostBytes).contains(bytes) else {
                return false
            }
            filters.set(.maxBytes, "\(bytes)")
            return true
        },
        "fill": { filters, arguments in
            filters.fill = ThumborColor.text(arguments[0])
            return filters.fill != nil
        },
        "background_color": { filters, arguments in
            guard let color = ThumborColor.text(arguments[0]), color != "blur", color != "transparent" else {
                return false
            }
            filters.set(.background, color)
            return true
        },
        "focal": { filters, arguments in
            guard let area = area(arguments[0]) else { return false }
            filters.focal.append(area)
            return true
        },
        "rotate": { filters, arguments in
            // thumbor turns to the left.
            guard let degrees = Int(arguments[0]), degrees % 90 == 0 else { return false }
            filters.quarters = (filters.quarters + 4 - (degrees % 360 + 360) % 360 / 90) % 4
            return true
        },
        "no_upscale": { filters, _ in
            filters.neverEnlarges = true
            return true
        },
        "upscale": { filters, _ in
            filters.enlarges = true
            return true
        },
        "stretch": { filters, _ in
            filters.stretches = true
            return true
        },
        "cover": { filters, _ in
            filters.set(.animation, "still")
            return true
        },
        "expire": { filters, arguments in
            // Milliseconds since 1970.
            guard !arguments[0].isEmpty, let seconds = Int(plainDigits: "0" + arguments[0].dropLast(3)) else {
                return false
            }
            filters.expires = seconds
            return true
        },
        // All metadata are dropped, and colours are converted.
        "strip_icc": { _, _ in true },
        "strip_exif": { _, _ in true },
        "strip_metadata": { _, _ in true },
        // Looks only.
        "autojpg": { _, _ in false },
        "sharpen": { _, _ in false },
    ]

    private mutating func set(_ name: ParameterName, _ value: String) {
        values.removeAll { $0.name == name }
        values.append((name, value))
    }

    /// A focal area, from `LxT:RxB` in pixels.
    private static func area(_ text: String) -> String? {
        let corners = text.split(separator: ":").map { $0.split(separator: "x").map { Int(plainDigits: $0) } }
        guard corners.count == 2, corners.allSatisfy({ $0.count == 2 }), let left = corners[0][0],
            let top = corners[0][1], let right = corners[1][0], let bottom = corners[1][1], left < right, top < bottom,
            max(right, bottom) <= Length.mostPixels
        else { return nil }
        return "\(left)px,\(top)px,\(right - left)px,\(bottom - top)px"
    }
}
