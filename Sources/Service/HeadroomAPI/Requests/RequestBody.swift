import Admission
import Fetching
import FoundationEssentials
import HTTPServer
import HTTPTypes
import Imaging
import Pipeline
import Requests
import UntrustedText

/// The body of a `POST`: an image, or parameters in a form or a JSON object.
struct RequestBody {
    /// The maximum size of a JSON object of parameters, and of a form without an image, in bytes.
    ///
    /// All parameters together need much less, even if each parameter has its maximum length.
    static let maxJSONBytes = 65_536

    private(set) var image: SourceBytes = []
    /// The file name of an image in a form, as sent; nil for none.
    private(set) var fileName: String?
    private(set) var pairs: [(name: String, value: String)] = []
    /// Whether ``pairs`` come from an encoded form, where `&` separates them.
    private(set) var isURLEncoded = false
    /// The memory of a decoded body or image, to be retained as long as ``image``; nil if nothing was decoded.
    private(set) var share: ByteShare?
    /// A sentence about a body or a file without bytes; nil unless the body was meant as an image and is empty.
    private(set) var emptiness: String?

    /// Parses the body by its media type, after decoding its content codings within `limits`.
    ///
    /// A body that is neither a form nor JSON is an image. The format is detected from the bytes, because clients
    /// declare arbitrary types (curl's `--data-binary` declares a form). A body that starts like an image is an image
    /// with every type.
    ///
    /// - Throws: A ``Problem`` with status 400, 413, 415 or 503.
    init(_ request: ServerRequest, _ limits: ContentCoding.Limits) throws(Problem) {
        let media = MediaType(request.headers[.contentType] ?? "")
        let type = media?.essence
        let delimiter = type == Self.form ? media?.parameters["boundary"].map { "--\($0)" } : nil
        let body: [UInt8]
        (body, share) = try ContentCoding.body(of: request, delimiter: delimiter, limits)
        switch type {
        // Neither a form nor JSON starts like an image.
        case Self.form where Self.startsLikeImage(body), Self.json where Self.startsLikeImage(body):
            image = SourceBytes(body)
        case Self.form: try readForm(body, contentType: request.headers[.contentType] ?? "", limits)
        case Self.json: try readJSON(body, limits)
        case Self.urlencoded where Self.isForm(body): try readURLEncoded(body, limits)
        default:
            try Self.checkImage(body, type)
            image = SourceBytes(body)
            let isDeclared = type.map { $0.bytes.hasPrefix("image/") || $0 == "application/octet-stream" } ?? false
            if body.isEmpty, isDeclared { emptiness = "The body is empty: expected the bytes of an image." }
        }
    }

    private static func startsLikeImage(_ body: [UInt8]) -> Bool {
        InputFormat.sniff(Array(body.prefix(InputFormat.signatureLength))) != nil
    }

    /// Recognises two mistakes that would otherwise be reported as unknown images; they usually come from curl's `-d`.
    private static func checkImage(_ body: [UInt8], _ type: String?) throws(Problem) {
        if body.first == UInt8(ascii: "{"), body.count <= maxJSONBytes,
            (try? ParameterObject(body, omittingNulls: true, joiningLists: true, atMost: QueryString.maxPairs)) != nil
        {
            throw .badRequest(
                "The body is a JSON object of parameters: send it with Content-Type: application/json."
            )
        }
        // An image of this size contains line breaks and zero bytes. The first twelve bytes of PNG and WebP already
        // contain such bytes.
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

    /// Whether a body that is declared as an encoded form really is an encoded form, not an image, JSON, or an image as
    /// text.
    ///
    /// curl declares every body as a form by default.
    private static func isForm(_ body: [UInt8]) -> Bool {
        if ImageField.range(inForm: body) != nil { return true }
        let text = ImageText(body[...])
        return isText(body) && !text.isDataURL && !text.isBase64OfImage
    }

    /// Whether a body is text that contains a field, and is neither an image nor JSON.
    private static func isText(_ body: [UInt8]) -> Bool {
        guard let first = body.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "<") else { return false }
        // A longer form is rejected in any case. The start that is checked ends with a whole character.
        let isCut = body.count > maxJSONBytes
        let body = isCut ? body.prefix(maxJSONBytes + 1).dropLastCharacter : body[...]
        let line = body.prefix { $0 != 10 && $0 != 13 }
        return body.dropFirst(line.count).allSatisfy { $0 == 10 || $0 == 13 } && line.contains(UInt8(ascii: "="))
            && line.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && String(validating: line, as: UTF8.self) != nil
    }

    /// Reads a form without an image (WHATWG URL, application/x-www-form-urlencoded).
    private mutating func readURLEncoded(_ body: [UInt8], _ limits: ContentCoding.Limits) throws(Problem) {
        var body = body
        if let range = ImageField.range(inForm: body) {
            let text = ImageText(body[range], escapes: .percent)
            body.removeSubrange(range)
            if !range.isEmpty { try readImage(text, "the file in a multipart form", limits) }
        }
        guard body.count <= Self.maxJSONBytes else {
            let sentence = "A form of parameters may have at most \(Self.maxJSONBytes) bytes; send an image as the body"
            throw Problem(.invalidRequest, .contentTooLarge, "\(sentence) or in a multipart form.")
        }
        let text = String(decoding: body.prefix { ![10, 13].contains($0) }, as: UTF8.self)
        // An empty field counts as absent.
        pairs = try Problem.checked(QueryString.pairs(text)).filter { !$0.value.isEmpty }
        isURLEncoded = true
        if !image.isEmpty, pairs.contains(where: { $0.name == ImageField.name }) { throw .severalImages("form fields") }
    }

    /// Decodes an image that is text: Base64, or a `data:` URL.
    ///
    /// - Parameters:
    ///   - text: The value of the field.
    ///   - other: Another way to send a file, for messages.
    ///   - limits: The limits of the decoded bytes.
    /// - Throws: A ``Problem`` with status 400 for other text, 413, or 503 without enough memory.
    private mutating func readImage(
        _ text: ImageText,
        _ other: String,
        _ limits: ContentCoding.Limits
    ) throws(Problem) {
        guard let share = limits.budget.take(text.maxDecodedBytes, for: limits.client) else {
            throw Problem(FetchError.overBudget(limit: limits.budget.limit))
        }
        guard let bytes = text.decoded() else { throw .notAnImage(text.start, other: other) }
        guard bytes.count <= limits.maxBytes else {
            let sentence = "The image of \(bytes.count) bytes exceeds the limit of \(limits.maxBytes) bytes."
            throw Problem(.tooLarge, .contentTooLarge, sentence)
        }
        (image, self.share) = (SourceBytes(bytes), share)
    }

    private mutating func readForm(
        _ body: [UInt8],
        contentType: String,
        _ limits: ContentCoding.Limits
    ) throws(Problem) {
        let form: MultipartForm
        do throws(MultipartForm.Failure) {
            form = try MultipartForm(body, contentType: contentType)
        } catch {
            throw .badRequest("The multipart form is invalid: \(error.sentence)")
        }
        let hasFile = form.parts.contains { $0.name.bytes == "image" && $0.fileName != nil }
        for part in form.parts {
            if let error = ParameterName.error(part.name, "") { throw Problem(ParameterErrors(all: [error])) }
            if part.name == "image" {
                // FilePond sends a JSON object with metadata in a field with the name of the file.
                if hasFile, part.fileName == nil, part.content.first == UInt8(ascii: "{") { continue }
                guard image.isEmpty else { throw .severalImages("form fields") }
                try readImage(part, of: body, limits)
                fileName = part.fileName
                // Browsers send an empty file without a name if the user selects no file.
                if part.content.isEmpty, part.fileName?.isEmpty == false {
                    emptiness = "The file in the form field image is empty."
                }
                continue
            }
            // A browser sends an empty field if the user leaves it empty, even for a file.
            if part.content.isEmpty { continue }
            if part.fileName != nil {
                throw .badRequest(
                    "The form contains a file in the field \(ParameterError.shortened(part.name)); send the image in the field image."
                )
            }
            // A value that is too long is rejected, so it does not need to be copied in full.
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

    /// Reads the field `image` of a multipart form: a file, or an image as text.
    private mutating func readImage(
        _ part: MultipartForm.Part,
        of body: [UInt8],
        _ limits: ContentCoding.Limits
    ) throws(Problem) {
        let text = ImageText(part.content)
        if text.isDataURL || text.isBase64OfImage {
            return try readImage(text, "a file", limits)
        }
        // A file name that curl should have read is a short text and is not sent as a file.
        if part.fileName == nil, part.content.count <= 1024 {
            switch ReceivedText(part.content) {
            case .url, .fileName, .other:
                let name = ReceivedText.line(of: part.content)
                throw .notAnImage(text.start, other: "the file, with curl -F image=@\(name)")
            case .dataURL, .base64, .html, .markup, .json, nil: break
            }
        }
        // A slice, not a copy: the request retains the body.
        image = SourceBytes(body, in: part.content.indices)
    }

    private mutating func readJSON(_ body: [UInt8], _ limits: ContentCoding.Limits) throws(Problem) {
        var body = body
        var text: ImageText?
        if let range = ImageField.range(inObject: body) {
            text = ImageText(body[range], escapes: .json)
            body.removeSubrange(range)
        }
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
            if let name = error.nestedMember {
                let member = ParameterError.shortened(name)
                throw .badRequest(
                    "The JSON member \(member) contains an object or a nested list; expected a string, a number, a boolean, or a list of them."
                )
            }
            throw .badRequest(
                "The body is not a JSON object of strings, numbers, booleans, and lists of them, such as {\"url\": \"https://…\", \"aspect\": \"16:9\"}."
            )
        }
        guard object.pairs.count <= QueryString.maxPairs else {
            throw .badRequest(
                "The JSON object has too many members; expected at most \(QueryString.maxPairs) parameters."
            )
        }
        let images = object.pairs.filter { $0.name.bytes == ImageField.name.bytes }
        guard images.count < 2 else { throw .severalImages("JSON members") }
        pairs = object.pairs.filter { $0.name.bytes != ImageField.name.bytes }
        guard let image = images.first else { return }
        // A value that is not a string, or whose name contains escapes, is found among the pairs.
        if text == nil || !image.value.isEmpty { text = ImageText(Array(image.value.utf8)[...]) }
        if let text, !text.start.isEmpty { try readImage(text, "the file in a multipart form", limits) }
    }
}

extension Problem {
    fileprivate static func severalImages(_ places: String) -> Problem {
        .badRequest("The body contains several \(places) named image; expected one.")
    }

    /// Returns the problem for text in the field `image` that is not an image; `other` describes another way to send a
    /// file.
    fileprivate static func notAnImage(_ start: [UInt8], other: String) -> Problem {
        let rule =
            switch ReceivedText(start[...]) {
            case .url: "is a URL; send it in the parameter url"
            case .fileName: "is a file name, not a file; send \(other)"
            case .dataURL: "is a data: URL without valid Base64; expected data:image/jpeg;base64, and the digits"
            default: "is text that is not Base64; send Base64, a data: URL with Base64, or \(other)"
            }
        let expected = "Base64 or a data: URL with Base64"
        let text = String(decoding: start, as: UTF8.self)
        return Problem(
            ParameterErrors(all: [.init(name: ImageField.name, received: text, breaks: rule, expected: expected)])
        )
    }
}

extension MultipartForm.Failure {
    fileprivate var sentence: String {
        switch self {
        case .noBoundary: "its Content-Type lacks a boundary of 1 to 70 characters."
        case .notClosed: "the closing delimiter is missing."
        case .badPartHeader: "a part lacks Content-Disposition: form-data with a name."
        case .tooManyParts(let limit): "it has more than \(limit) parts."
        }
    }
}
