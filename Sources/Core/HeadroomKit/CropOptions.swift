import Imaging
import Requests

/// The options of a crop: aspect ratio, size, format and every other parameter of the service.
///
/// The most common parameters are properties. All other parameters use their names in `docs/parameters.md`:
///
/// ```swift
/// var options = CropOptions(aspect: "4:5", width: 400, format: .webp)
/// options["padding"] = "0.2"
/// let same: CropOptions = ["aspect": "4:5", "width": "400", "format": "webp", "padding": "0.2"]
/// ```
public struct CropOptions: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The format of an image file.
    public enum Format: String, Sendable, CaseIterable {
        case jpeg, png, webp, avif, gif
    }

    /// Names and values of parameters.
    public var parameters: [String: String]

    /// No parameters: the largest crop in the aspect ratio and the format of the image.
    public init() { parameters = [:] }

    /// The most common parameters.
    ///
    /// - Parameters:
    ///   - aspect: The aspect ratio, such as `16:9` or `1.5`; nil for the aspect ratio of the image.
    ///   - width: The width of the output in pixels; nil for the width of the crop.
    ///   - height: The height of the output in pixels.
    ///   - format: The format of the file; nil for the format of the image.
    ///   - quality: The quality, 1 to 100; nil for 82.
    public init(
        aspect: String? = nil,
        width: Int? = nil,
        height: Int? = nil,
        format: Format? = nil,
        quality: Int? = nil
    ) {
        parameters = [:]
        self["aspect"] = aspect
        self["width"] = width.map { "\($0)" }
        self["height"] = height.map { "\($0)" }
        self["format"] = format?.rawValue
        self["quality"] = quality.map { "\($0)" }
    }

    /// Options with names and values of parameters; if a name is repeated, the last value applies.
    public init(dictionaryLiteral elements: (String, String)...) {
        parameters = Dictionary(elements) { _, last in last }
    }

    /// The value of a parameter; nil if it is not set.
    public subscript(name: String) -> String? {
        get { parameters[name] }
        set { parameters[name] = newValue }
    }

    /// The accepted parameters: the parameters of `/frame`, except URLs and parameters that affect only HTTP responses.
    private static let known: [Parameter] = {
        let excluded: Set<Parameter> = [.url, .preset, .page, .frame, .version, .download, .backdropURL]
        return Parameter.of(.frame).filter { !excluded.contains($0) }
    }()

    /// The parsed parameters.
    ///
    /// - Parameter shapes: The aspect ratios, instead of `aspect`.
    /// - Returns: The parameters of an image.
    /// - Throws: ``CropError/invalidOptions(_:)``.
    func parsed(shapes: [String]? = nil) throws(CropError) -> FrameParameters {
        var pairs = parameters.map { (name: $0.key, value: $0.value) }
        if let shapes {
            pairs.removeAll { $0.name == Parameter.aspect.name }
            pairs.append((Parameter.aspect.name, shapes.joined(separator: ",")))
        }
        let formats = ["auto", "source"] + FrameParameters.Format.images
        do throws(ParameterErrors) {
            let parsed = try FrameParameters(
                pairs.sorted { $0.name < $1.name },
                known: Self.known,
                formats: formats,
                hints: nil
            )
            switch parsed.format {
            case .auto, .source, .image: return parsed
            case .json, .focus, .debug, .html, .zip, .multipart, .video:
                throw ParameterErrors(all: [
                    ParameterError(
                        name: Parameter.format.name,
                        received: parsed.format.word,
                        expected: "one of \(formats.joined(separator: ", "))"
                    )
                ])
            }
        } catch {
            throw CropError(error)
        }
    }
}
