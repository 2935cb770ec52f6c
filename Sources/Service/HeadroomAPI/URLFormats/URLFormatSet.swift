/// The URL formats that a service serves.
package struct URLFormatSet: Sendable {
    private let urlFormats: [URLFormatName: any URLFormat]

    /// Creates a set of URL formats by name.
    ///
    /// The default is empty, so that every URL is a URL of this service.
    package init(_ urlFormats: [URLFormatName: any URLFormat] = [:]) { self.urlFormats = urlFormats }

    /// A URL format; nil if it is not served.
    package subscript(name: URLFormatName) -> (any URLFormat)? { urlFormats[name] }
}
