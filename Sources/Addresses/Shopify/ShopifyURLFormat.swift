import Encodings
package import HeadroomAPI
import HTTPTypes
package import Requests
import UntrustedText

/// The URLs of Shopify's image CDN: `/PATH?v=VERSION&width=…&crop=…`, or the older `/NAME_300x200_crop_top.jpg`.
package struct ShopifyURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.shopify
    package static let title = "Shopify"
    package static let settings: [URLFormatSetting<Self>] = [
        .origin("shopify-origin", "Base URL of Shopify sources that are paths.", \.origin)
    ]

    /// The base URL of sources in the form of a path; nil rejects them.
    package var origin: OriginBase?

    package init() {}

    /// A URL format of absolute URLs, and of paths below an origin.
    ///
    /// - Parameter origin: The base URL of sources in the form of a path; nil serves only absolute URLs.
    package init(origin: OriginBase?) { self.origin = origin }

    package var signing: Signing { .none }

    package static let optionNames = [
        "width", "height", "crop", "crop_left", "crop_top", "crop_width", "crop_height", "pad_color", "format",
    ]

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let path = address.path.bytes.dropping(UInt8(ascii: "/"))
        guard !path.isEmpty else { throw .invalid(option: address.path, expected: "a source") }
        let file = ShopifyFileName(path)
        var options = AddressOptions()
        var ignored: [String] = []
        var version = ""
        for pair in try Problem.checked(QueryString.pairs(address.query)) {
            if pair.name == "v" {
                // The version of a file belongs to its URL, so that caches replace the file.
                version = "?v=\(PercentEncoding.encoded(pair.value))"
            } else if Self.optionNames.contains(pair.name) {
                if options[pair.name] == nil { try options.set(pair.name, pair.value) }
            } else {
                ignored.append(pair.name)
            }
        }
        var result = try Translation(
            path: file?.path ?? path,
            version,
            below: origin,
            of: Self.name,
            otherwise: "an absolute URL"
        )
        for name in ignored { result.ignore(name) }
        try addShape(options, file, to: &result)
        try addFormat(options, file, to: &result)
        return result
    }

    /// Adds the region, the size, and the part to keep; Shopify never enlarges an image.
    private func addShape(
        _ options: AddressOptions,
        _ file: ShopifyFileName?,
        to result: inout Translation
    ) throws(Problem) {
        var size = RequestedSize(width: try side("width", options), height: try side("height", options))
        let isNamed = size.width == nil && size.height == nil
        if isNamed, let file { size = try self.size(of: file) }
        result.set(size)
        let words = ShopifyFileName.crops + ["region"]
        let given = try options.value("crop", expected: "one of \(words.joined(separator: ", "))") { text in
            words.first { $0.bytes == text.bytes }
        }
        if given == "region" {
            result[.region] = try region(options)
        } else if let name = Self.regionNames.first(where: { options[$0] != nil }) {
            result.ignore(name)
        }
        let crop = given ?? (isNamed ? file?.crop : "center")
        let hasBox = size.width != nil && size.height != nil
        let color = try options.value("pad_color", expected: "3 or 6 hexadecimal digits") { text in
            CSSColor(hexadecimal: text, alpha: .last)
        }
        if let color, hasBox {
            result[.fit] = "pad"
            result.setBackground(color, isPadded: true, option: "pad_color")
        } else if let crop, hasBox {
            result[.fit] = "cover"
            result[.gravity] = crop == "region" ? "center" : crop
        } else {
            result[.fit] = "inside"
        }
        if color != nil, !hasBox { result.ignore("pad_color") }
        if given != nil, given != "region", !hasBox { result.ignore("crop") }
    }

    private static let regionNames = ["crop_left", "crop_top", "crop_width", "crop_height"]

    /// The part of the source to use, in pixels.
    private func region(_ options: AddressOptions) throws(Problem) -> String {
        var numbers: [Int] = []
        for name in Self.regionNames {
            let isSide = name == "crop_width" || name == "crop_height"
            let number = try options.value(name, expected: "a whole number of pixels\(isSide ? " above 0" : "")") {
                text in
                Int(plainDigits: text).flatMap { $0 > 0 || !isSide ? $0 : nil }
            }
            guard let number else {
                let names = Self.regionNames.joined(separator: ", ")
                throw .invalid(option: "crop=region", expected: names)
            }
            numbers.append(number)
        }
        return numbers.map { NumberText.pixels($0) }.joined(separator: ",")
    }

    private func side(_ name: String, _ options: AddressOptions) throws(Problem) -> RequestedSide? {
        try options.value(name, expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide)") { text in
            Int(plainDigits: text).flatMap { $0 > 0 ? RequestedSide($0, times: 1) : nil }
        }
    }

    private func size(of file: ShopifyFileName) throws(Problem) -> RequestedSize {
        func side(_ number: Int?) throws(Problem) -> RequestedSide? {
            guard let number else { return nil }
            guard let side = RequestedSide(number, times: Double(file.scale)) else {
                let expected = "at most \(FrameParameters.maxSide) pixels"
                throw .invalid(option: "the size in the name of the file", expected: expected)
            }
            return side
        }
        return RequestedSize(width: try side(file.width), height: try side(file.height))
    }

    /// Adds the output format: without one, the field Accept selects it.
    private func addFormat(
        _ options: AddressOptions,
        _ file: ShopifyFileName?,
        to result: inout Translation
    ) throws(Problem) {
        let formats: KeyValuePairs<String, String> = [
            "jpg": "jpeg", "pjpg": "jpeg", "png": "png", "webp": "webp", "avif": "avif", "gif": "gif", "auto": "auto",
        ]
        let format = try options.word("format", formats)
        result[.format] = format ?? (file?.isProgressive == true ? "jpeg" : "auto")
        if options["format"] == "pjpg" || format == nil && file?.isProgressive == true { result[.progressive] = "true" }
    }
}

extension URLFormatName {
    /// Shopify.
    package static let shopify = URLFormatName("shopify")
}
