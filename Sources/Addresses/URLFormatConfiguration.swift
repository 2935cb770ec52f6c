package import HeadroomAPI

/// The served URL formats, and their settings.
package struct URLFormatConfiguration: Sendable {
    /// The services whose URL formats are served.
    package var names: [URLFormatName] = []
    /// The keys of thumbor (`SECURITY_KEY`) and imagor (`IMAGOR_SECRET`).
    package var thumborKeys: [Secret] = []
    /// The keys of imgproxy, in hexadecimal digits.
    package var imgproxyKeys: [Secret] = []
    /// The salts of imgproxy, in hexadecimal digits, one for each key.
    package var imgproxySalts: [Secret] = []
    /// The keys of imgproxy's encrypted sources, in hexadecimal digits.
    package var imgproxyEncryptionKeys: [Secret] = []
    /// The presets of imgproxy: options by name.
    package var imgproxyPresets: [String: String] = [:]
    package var imgixTokens = ImgixTokens()
    package var imgixSources = ImgixSources()
    package var cloudinarySecrets: [Secret] = []
    /// The base URL of Cloudinary's uploaded sources; nil serves only fetched sources.
    package var cloudinaryOrigin: OriginBase?
    /// The base URL of Cloudflare's sources in the form of a path; nil serves only absolute URLs.
    package var cloudflareOrigin: OriginBase?
    /// The base URL of ImageKit's sources in the form of a path; nil serves only absolute URLs.
    package var imagekitOrigin: OriginBase?

    /// The URL formats that support signatures but lack a key: their URLs need no signature.
    package var unsigned: Set<URLFormatName> { Set(URLFormatName.allCases.filter { urlFormat($0).signing.lacksKeys }) }

    /// No URL format is served.
    package init() {}

    /// The served URL formats, with their keys and origins.
    package var served: URLFormatSet {
        URLFormatSet(Dictionary(names.map { ($0, urlFormat($0)) }) { first, _ in first })
    }

    private func urlFormat(_ name: URLFormatName) -> any URLFormat {
        switch name {
        case .thumbor: ThumborURLFormat(keys: thumborKeys)
        case .imgproxy:
            ImgproxyURLFormat(
                keys: imgproxyKeys,
                salts: imgproxySalts,
                encryptionKeys: imgproxyEncryptionKeys,
                presets: imgproxyPresets
            )
        case .imgix: ImgixURLFormat(sources: imgixSources, tokens: imgixTokens)
        case .cloudinary:
            CloudinaryURLFormat(origin: cloudinaryOrigin, secrets: cloudinarySecrets)
        case .cloudflare: CloudflareURLFormat(origin: cloudflareOrigin)
        case .weserv: WeservURLFormat()
        case .imagekit: ImageKitURLFormat(origin: imagekitOrigin)
        }
    }
}
