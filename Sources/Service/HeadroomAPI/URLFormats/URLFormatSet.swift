/// The URL formats that a service serves.
package struct URLFormatSet: Sendable {
    private let urlFormats: [URLFormatName: any URLFormat]

    /// The URL formats by the service whose addresses they translate; by default none, so that every address is one of
    /// this service.
    package init(_ urlFormats: [URLFormatName: any URLFormat] = [:]) { self.urlFormats = urlFormats }

    /// A URL format; nil if it is not served.
    package subscript(name: URLFormatName) -> (any URLFormat)? { urlFormats[name] }
}
