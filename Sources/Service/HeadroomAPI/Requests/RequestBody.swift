import Admission
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Pipeline
import Requests

/// The body of a `POST`: an image, or parameters in a form or a JSON object.
struct RequestBody {
    /// The maximum size of a JSON object of parameters, and of a form without an image, in bytes.
    ///
    /// All parameters together, each at its maximum length, need much less.
    static let maxJSONBytes = 65_536

    private(set) var image: SourceBytes = []
    /// The file name of an image in a form, as sent; nil for none.
    private(set) var fileName: String?
    private(set) var pairs: [(name: String, value: String)] = []
    /// Whether ``pairs`` come from an encoded form, where `&` separates them.
    private(set) var isURLEncoded = false
    /// The memory of a decoded body, to be retained as long as ``image``; nil for a body without a content coding.
    let share: ByteShare?

    /// Parses the body by its media type, after its content codings are decoded within `limits`.
    ///
    /// A body that is neither a form nor JSON is an image; its bytes decide the format, because clients declare
    /// arbitrary types (curl's `--data-binary` declares a form).
    ///
    /// - Throws: A ``Problem`` with status 400, 413, 415 or 503.
    init(_ request: ServerRequest, _ limits: ContentCoding.Limits) throws(Problem) {
        let media = MediaType(request.headers[.contentType] ?? "")
        let type = media?.essence
        let delimiter = type == Self.form ? media?.parameters["boundary"].map { "--\($0)" } : nil
        let body: [UInt8]
        (body, share) = try ContentCoding.body(of: request, delimiter: delimiter, limits)
        switch type {
        case Self.form: try readForm(body, contentType: request.headers[.contentType] ?? "")
        case Self.json: try readJSON(body)
        case Self.urlencoded where Self.isText(body): try readURLEncoded(body)
        default:
            try Self.checkImage(body, type)
            image = SourceBytes(body)
        }
    }

    /// Recognises two mistakes, usually with curl's `-d`, that would otherwise be reported as unknown images.
    private static func checkImage(_ body: [UInt8], _ type: String?) throws(Problem) {
        if body.first == UInt8(ascii: "{"), body.count <= maxJSONBytes,
            (try? ParameterObject(body, omittingNulls: true, joiningLists: true, atMost: QueryString.maxPairs)) != nil
        {
            throw .badRequest(
                "The body is a JSON object of parameters: send it with Content-Type: application/json."
            )
        }
        // An image of this size contains line breaks and zero bytes; the first twelve bytes of PNG and WebP already
        // contain some.
        if type == urlencoded, body.count > 4096,
            !body.prefix(maxJSONBytes).contains(where: { $0 == 0 || $0 == 10 || $0 == 13 })
        {
            throw .badRequest(
                "The body contains no line breaks and no zero bytes, which curl -d removes: send an image with --data-binary @FILE."
            )
        }
    }

    /// Whether the body of a request is a form or JSON.
    static func isTakenApart(_ request: ServerRequest) -> Bool { [form, json, urlencoded].contains(type(of: request)) }

    /// Whether the body of a request is a multipart form.
    static func isForm(_ request: ServerRequest) -> Bool { type(of: request) == form }

    private static let form = "multipart/form-data"
    private static let urlencoded = "application/x-www-form-urlencoded"
    private static let json = "application/json"

    private static func type(of request: ServerRequest) -> String? {
        MediaType(request.headers[.contentType] ?? "")?.essence
    }

    /// Whether a body that is declared as an encoded form is an encoded form: text with a field, and neither an image
    /// nor JSON.
    ///
    /// curl declares images and JSON as forms, too.
    private static func isText(_ body: [UInt8]) -> Bool {
        guard let first = body.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "<") else { return false }
        // A longer form is rejected in any case; its start ends with a whole character.
        let isCut = body.count > maxJSONBytes
        let body = isCut ? body.prefix(maxJSONBytes + 1).dropLastCharacter : body[...]
        let line = body.prefix { $0 != 10 && $0 != 13 }
        return body.dropFirst(line.count).allSatisfy { $0 == 10 || $0 == 13 } && line.contains(UInt8(ascii: "="))
            && line.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && String(validating: line, as: UTF8.self) != nil
    }

    /// Reads a form without an image (WHATWG URL, application/x-www-form-urlencoded).
    private mutating func readURLEncoded(_ body: [UInt8]) throws(Problem) {
        guard body.count <= Self.maxJSONBytes else {
            let sentence = "A form of parameters may have at most \(Self.maxJSONBytes) bytes; send an image as the body"
            throw Problem(.invalidRequest, .contentTooLarge, "\(sentence) or in a multipart form.")
        }
        let text = String(decoding: body.prefix { ![10, 13].contains($0) }, as: UTF8.self)
        // An empty field is absent.
        pairs = try Problem.checked(QueryString.pairs(text)).filter { !$0.value.isEmpty }
        isURLEncoded = true
    }

    private mutating func readForm(_ body: [UInt8], contentType: String) throws(Problem) {
        let form: MultipartForm
        do throws(MultipartForm.Failure) {
            form = try MultipartForm(body, contentType: contentType)
        } catch {
            throw .badRequest("The multipart form is invalid: \(error.sentence)")
        }
        for part in form.parts {
            if let error = ParameterName.error(part.name, "") { throw Problem(ParameterErrors(all: [error])) }
            if part.name == "image" {
                guard image.isEmpty else {
                    throw .badRequest("The form contains several fields named image; expected one.")
                }
                // A slice, not a copy: the request retains the body.
                image = SourceBytes(body, in: part.content.indices)
                fileName = part.fileName
                continue
            }
            // A browser sends an empty field, even for a file.
            if part.content.isEmpty { continue }
            if part.fileName != nil {
                throw .badRequest(
                    "The form contains a file in the field \(ParameterError.shortened(part.name)); send the image in the field image."
                )
            }
            // A value that is too long is rejected by its length, so it is not copied in full.
            let content = part.content.prefix(FrameParameters.maxValueBytes + 1)
            guard let value = String(validating: content, as: UTF8.self) else {
                let error = ParameterError(
                    name: part.name,
                    received: String(decoding: content, as: UTF8.self),
                    expected: "UTF-8 text"
                )
                throw Problem(ParameterErrors(all: [error]))
            }
            pairs.append((part.name, value))
        }
    }

    private mutating func readJSON(_ body: [UInt8]) throws(Problem) {
        guard body.count <= Self.maxJSONBytes else {
            throw Problem(
                .invalidRequest,
                .contentTooLarge,
                "The JSON exceeds \(Self.maxJSONBytes) bytes, the limit for parameters. Send an image as the body, or in the form field image."
            )
        }
        let object: ParameterObject
        do throws(ParameterObject.Malformed) {
            object = try ParameterObject(
                body,
                omittingNulls: true,
                joiningLists: true,
                atMost: QueryString.maxPairs
            )
        } catch {
            throw .badRequest(
                "The body is not a JSON object of strings, numbers, booleans, and lists of them, such as {\"url\": \"https://…\", \"aspect\": \"16:9\"}."
            )
        }
        guard object.pairs.count <= QueryString.maxPairs else {
            throw .badRequest(
                "The JSON object has too many members; expected at most \(QueryString.maxPairs) parameters."
            )
        }
        pairs = object.pairs
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the last non-ASCII character, because the bytes may end inside this character.
    fileprivate var dropLastCharacter: Self {
        let end = dropFirst(Swift.max(0, count - 4)).lastIndex { $0 < 0x80 }
        return end.map { self[...$0] } ?? self
    }
}

extension MultipartForm.Failure {
    fileprivate var sentence: String {
        switch self {
        case .noBoundary: "its Content-Type lacks a boundary."
        case .notClosed: "the closing delimiter is missing."
        case .badPartHeader: "a part lacks Content-Disposition: form-data with a name."
        case .tooManyParts(let limit): "it has more than \(limit) parts."
        }
    }
}
