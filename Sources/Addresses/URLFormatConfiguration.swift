package import HeadroomAPI

/// The served URL formats, and the settings of all URL formats.
package struct URLFormatConfiguration: Sendable {
    /// The services whose URL formats are served.
    package var names: [URLFormatName] = []
    /// The URL formats whose settings differ from the defaults.
    private var formats: [URLFormatName: any ConfigurableURLFormat] = [:]

    /// No URL format is served.
    package init() {}

    /// A URL format with its settings.
    package subscript<Format: ConfigurableURLFormat>(format: Format.Type) -> Format {
        get { formats[Format.name] as? Format ?? Format() }
        set { formats[Format.name] = newValue }
    }

    /// The URL formats that support signatures but lack a key: their URLs need no signature.
    package var unsigned: Set<URLFormatName> {
        Set(URLFormats.all.filter { urlFormat($0).signing.lacksKeys }.map { $0.name })
    }

    /// The served URL formats, with their settings.
    package var served: URLFormatSet {
        let served = URLFormats.all.filter { names.contains($0.name) }
        return URLFormatSet(Dictionary(uniqueKeysWithValues: served.map { ($0.name, urlFormat($0)) }))
    }

    /// Returns a sentence for each rule between settings that the values violate.
    ///
    /// - Parameter isComplete: Whether every setting could be read.
    /// - Returns: No sentences for valid settings.
    package func problems(isComplete: Bool) -> [String] {
        URLFormats.all.flatMap { urlFormat($0).problems(isComplete: isComplete) }
    }

    private func urlFormat(_ format: any ConfigurableURLFormat.Type) -> any ConfigurableURLFormat {
        formats[format.name] ?? format.init()
    }
}
