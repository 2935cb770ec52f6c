package import Addresses
package import HeadroomAPI

/// Writes URLs of other services with options that no user would write.
package struct HostileAddress: Sendable {
    /// One option: its name and its value.
    package struct Option: Hashable, Sendable {
        package let name: String
        package let value: String

        /// An option with any value.
        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The service that defines the URL format.
    package let service: URLFormatName

    /// URLs of a service.
    package init(_ service: URLFormatName) { self.service = service }

    /// Settings that enable every format to translate as much as possible.
    package static let configuration: URLFormatConfiguration = {
        var configuration = URLFormatConfiguration()
        configuration.names = URLFormatName.allCases
        configuration.imgproxyPresets = ["a": "w:10/pr:b", "b": "pr:a/q:5"]
        configuration.imgixSources = ImgixSources("shop=http://h/base,*") ?? ImgixSources()
        configuration.cloudinaryOrigin = OriginBase("http://h/base")
        configuration.cloudflareOrigin = OriginBase("http://h")
        configuration.imagekitOrigin = OriginBase("http://h/base")
        return configuration
    }()

    /// The format of the service.
    package var urlFormat: (any URLFormat)? { Self.configuration.served[service] }

    /// The names of the service's options.
    package var names: [String] { urlFormat.map { type(of: $0).optionNames } ?? [] }

    /// Options that must be present before other options' values are parsed.
    package var modes: [[Option]] {
        func options(_ pairs: KeyValuePairs<String, String>) -> [Option] { pairs.map { Option($0, $1) } }
        return switch service {
        case .cloudflare: [[], options(["fit": "cover"]), options(["fit": "pad"]), options(["dpr": "2"])]
        case .cloudinary: [[], options(["c": "fill"]), options(["c": "crop"]), options(["c": "thumb", "g": "face"])]
        case .imagekit:
            [
                [], options(["w": "30", "h": "20"]), options(["cm": "extract"]), options(["c": "at_max", "w": "9"]),
                options(["fo": "face", "w": "30", "h": "20"]),
            ]
        case .imgix:
            [
                [], options(["fit": "crop", "w": "30", "h": "20"]), options(["fit": "fill"]),
                options(["fit": "facearea"]), options(["crop": "focalpoint", "fit": "crop", "w": "3", "h": "2"]),
                options(["mask": "corners"]), options(["trim": "auto"]),
            ]
        case .imgproxy: [[], options(["rs": "fill:300:200"]), options(["c": "10:10"]), options(["rt": "force"])]
        case .thumbor: [[], options(["focal": "1x1:9x9"]), options(["proportion": "0.5"])]
        case .weserv: [[], options(["w": "30", "h": "20", "fit": "cover"]), options(["fit": "contain"])]
        }
    }

    /// The ways in which the service's clients write options: in one step, in several steps, in a query, or encoded.
    package func addresses(_ options: [Option]) -> [ForeignURL] {
        let source = "http://h/a.jpg"
        func joined(_ mark: String, _ separator: String) -> String {
            options.map { "\($0.name)\(mark)\($0.value)" }.joined(separator: separator)
        }
        func encoded(_ text: String) -> String {
            text.utf8.map { byte in
                byte < 0x80 && byte > 0x20 && !"%&#+".utf8.contains(byte)
                    ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
        }
        func query(_ pairs: [(String, String)]) -> String {
            pairs.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
        }
        let pairs = options.map { ($0.name, $0.value) }
        switch service {
        case .cloudflare:
            let text = joined("=", ",")
            return [ForeignURL(path: "/\(text)/\(source)"), ForeignURL(path: "/\(encoded(text))/\(source)")]
        case .cloudinary:
            return [",", "/"].map { ForeignURL(path: "/image/fetch/\(encoded(joined("_", $0)))/\(source)") }
        case .imagekit:
            return [
                ForeignURL(path: "/tr:\(joined("-", ","))/a.jpg"),
                ForeignURL(path: "/tr:\(encoded(joined("-", ":")))/a.jpg"),
                ForeignURL(path: "/\(source)", query: "tr=\(encoded(joined("-", ",")))"),
            ]
        case .imgix: return [ForeignURL(path: "/http%3A%2F%2Fh%2Fa.jpg", query: query(pairs))]
        case .imgproxy:
            return [
                ForeignURL(path: "/_/\(joined(":", "/"))/plain/\(source)"),
                ForeignURL(path: "/_/\(encoded(joined(":", "/")))/aHR0cDovL2gvYS5qcGc"),
            ]
        case .thumbor:
            let filters = "filters:" + options.map { "\($0.name)(\($0.value))" }.joined(separator: ":")
            let value = options.first?.value ?? ""
            return [
                ForeignURL(path: "/unsafe/300x200/smart/\(filters)/\(source)"),
                ForeignURL(path: "/unsafe/1x1:9x9/fit-in/\(encoded(filters))/\(source)"),
                ForeignURL(path: "/unsafe/trim:\(value)/\(value)x\(value)/\(source)"),
                ForeignURL(path: "/unsafe/meta/\(value):\(value)/\(value)/\(source)"),
            ]
        case .weserv: return [ForeignURL(path: "/", query: query([("url", "h/a.jpg")] + pairs))]
        }
    }
}
