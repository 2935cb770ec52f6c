package import HeadroomAPI

/// The URL formats that are served, and their settings.
package struct URLFormatConfiguration: Sendable {
    /// The services whose addresses are served.
    package var names: [URLFormatName] = []
    /// The keys of thumbor (`SECURITY_KEY`) and imagor (`IMAGOR_SECRET`).
    package var thumborKeys: [Secret] = []
    /// The keys of imgproxy, in hexadecimal digits.
    package var imgproxyKeys: [Secret] = []
    /// The salts of imgproxy, in hexadecimal digits, one for each key.
    package var imgproxySalts: [Secret] = []
    /// The presets of imgproxy: options by name.
    package var imgproxyPresets: [String: String] = [:]
    package var imgixTokens = ImgixTokens()
    package var imgixSources = ImgixSources()
    package var cloudinarySecrets: [Secret] = []
    /// The base address of Cloudinary's uploaded sources; nil serves fetched ones only.
    package var cloudinaryOrigin: OriginBase?
    /// The base address of Cloudflare's sources that are named by a path; nil serves absolute addresses only.
    package var cloudflareOrigin: OriginBase?
    /// The base address of ImageKit's sources that are named by a path; nil serves absolute addresses only.
    package var imagekitOrigin: OriginBase?

    /// The URL formats that support signatures and have no key: their addresses need no signature.
    package var unsigned: Set<URLFormatName> { Set(URLFormatName.allCases.filter { urlFormat($0).signing.lacksKeys }) }

    /// No URL format is served.
    package init() {}

    /// The URL formats that are served, with their keys and origins.
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
