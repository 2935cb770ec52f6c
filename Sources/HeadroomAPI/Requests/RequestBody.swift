import FoundationEssentials
import HTTPServer
import HTTPTypes

/// What a `POST` carries: the image's bytes, or none, and the parameters of a form or a JSON object.
struct RequestBody {
    /// The largest JSON object of parameters, in bytes.
    ///
    /// Every parameter at its longest takes far less.
    static let maxJSONBytes = 65_536

    private(set) var image: [UInt8] = []
    private(set) var pairs: [(name: String, value: String)] = []

    /// Reads the body by its declared type.
    ///
    /// Only forms and JSON are taken apart; anything else is the image, for the bytes
    /// decide what they are, and clients declare all sorts of types (curl's `--data-binary` says it sends a form).
    init(_ request: ServerRequest) throws {
        switch Self.type(of: request) {
        case Self.form: try readForm(request.body, contentType: request.headers[.contentType] ?? "")
        case Self.json: try readJSON(request.body)
        default: image = request.body
        }
    }

    /// Whether the body of such a request is not just a picture.
    static func isTakenApart(_ request: ServerRequest) -> Bool { [form, json].contains(type(of: request)) }

    private static let form = "multipart/form-data"
    private static let json = "application/json"

    private static func type(of request: ServerRequest) -> String? {
        MediaType(request.headers[.contentType] ?? "")?.essence
    }

    private mutating func readForm(_ body: [UInt8], contentType: String) throws {
        let form: MultipartForm
        do {
            form = try MultipartForm(body, contentType: contentType)
        } catch {
            throw Problem(.invalidRequest, .badRequest, "The multipart form cannot be read: \(error.sentence)")
        }
        for part in form.parts {
            if part.name == "image" {
                guard image.isEmpty else {
                    throw Problem(.invalidRequest, .badRequest, "The form has more than one field named image.")
                }
                image = Array(part.content)
            } else if let value = String(validating: part.content, as: UTF8.self) {
                pairs.append((part.name, value))
            } else {
                let error = ParameterError(
                    name: part.name,
                    received: String(decoding: part.content, as: UTF8.self),
                    expected: "UTF-8 text"
                )
                throw ParameterErrors(all: [error])
            }
        }
    }

    private mutating func readJSON(_ body: [UInt8]) throws {
        guard body.count <= Self.maxJSONBytes else {
            throw Problem(
                .tooLarge,
                .contentTooLarge,
                "A JSON object of parameters has at most \(Self.maxJSONBytes) bytes."
            )
        }
        let object: [String: JSONScalar]
        do {
            object = try JSONDecoder().decode([String: JSONScalar].self, from: Data(body))
        } catch {
            throw Problem(
                .invalidRequest,
                .badRequest,
                "The body is not a JSON object of strings, numbers and booleans, such as {\"url\": \"https://…\", \"aspect\": \"16:9\"}."
            )
        }
        guard object.count <= QueryString.maxPairs else {
            throw Problem(
                .invalidRequest,
                .badRequest,
                "A JSON object of parameters has at most \(QueryString.maxPairs) members."
            )
        }
        pairs = object.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) }
    }
}

/// A value of a JSON object of parameters, as the text that a query would hold.
private struct JSONScalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let string = try? value.decode(String.self) {
            text = string
        } else if let boolean = try? value.decode(Bool.self) {
            text = boolean ? "true" : "false"
        } else if let whole = try? value.decode(Int.self) {
            text = String(whole)
        } else {
            text = String(try value.decode(Double.self))
        }
    }
}

extension MultipartForm.Failure {
    fileprivate var sentence: String {
        switch self {
        case .noBoundary: "its Content-Type names no boundary."
        case .notClosed: "it has no closing delimiter."
        case .badPartHeader: "a part has no Content-Disposition: form-data with a name."
        case .tooManyParts(let limit): "it has more than \(limit) parts."
        }
    }
}
