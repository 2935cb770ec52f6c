import Addresses
import HTTPServer
import HeadroomAPI
import Requests
import TestHTTP
import Testing

/// The served openapi.yaml; every response in the suite is checked against it.
struct Contract: Sendable {
    let document: JSONValue

    /// The document, parsed once; tests that use it fail if it cannot be parsed.
    static let shared = Result { try Contract() }

    private init() throws {
        document = try JSONValue(yaml: String(decoding: StatusResponse.openAPI.body, as: UTF8.self))
    }

    var schema: JSONSchema { JSONSchema(document: document) }

    /// The paths for operators, which are not in ``Route/all``.
    static let operatorPaths: Set = ["/purge"]

    /// Every path for clients with its methods in capitals.
    var operations: [(path: String, method: String, operation: JSONValue)] {
        let methods: Set<String> = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]
        return document["paths"].members.filter { !Self.operatorPaths.contains($0.key) }.sorted { $0.key < $1.key }
            .flatMap {
                path,
                item in
                item.members.filter { methods.contains($0.key) }.sorted { $0.key < $1.key }.map {
                    (path, $0.key.uppercased(), $0.value)
                }
            }
    }

    /// The path template of a request's path.
    func template(for path: String) -> String? {
        document["paths"].members.keys.first { template in
            let wanted = template.split(separator: "/", omittingEmptySubsequences: false)
            let given = path.split(separator: "/", omittingEmptySubsequences: false)
            return wanted.count == given.count
                && zip(wanted, given).allSatisfy { name, part in
                    name == part || (name == "{index}" && Int(part) != nil)
                        || (name == "{preset}" && Preset.isName(String(part)))
                        || (name == "{file}" && PlaygroundFile.paths.contains(path))
                }
        }
    }

    /// Records an issue for each difference between a response and the document.
    func check(
        _ reply: TestClient.Reply,
        to method: String,
        _ target: String,
        at location: SourceLocation
    ) {
        let path = String(target.prefix { $0 != "?" })
        // openapi.yaml does not describe URLs of other services.
        guard URLFormatName.of(path: path) == nil else { return }
        let problems = violations(reply, to: method, path: path)
        #expect(problems == [], "\(method) \(target)", sourceLocation: location)
    }

    private func violations(_ reply: TestClient.Reply, to method: String, path: String) -> [String] {
        let described = description(of: reply.status, to: method, path: path)
        guard !described.isNull else { return ["status \(reply.status) is not described: \(reply.text)"] }
        return headerViolations(reply, described, path: path) + contentViolations(reply, described, method: method)
    }

    private func description(of status: Int, to method: String, path: String) -> JSONValue {
        let common = document["components"]["responses"]
        guard status != 501 else { return common["NotImplemented"] }
        guard let template = template(for: path) else { return status == 404 ? common["NotFound"] : .null }
        // Methods are case-sensitive (RFC 9110 §9.1).
        let isKnown = method == method.uppercased()
        let operation = isKnown ? document["paths"][template][method.lowercased()] : .null
        if operation.isNull {
            // A service without the route responds with 404 to every method.
            return status == 405 ? common["MethodNotAllowed"] : status == 404 ? common["NotFound"] : .null
        }
        return schema.resolved(operation["responses"]["\(status)"])
    }

    /// The security headers that every response of every test must have, with their permitted values.
    private static let protectiveHeaders: [String: Set<String>] = [
        "Content-Security-Policy": ["default-src 'none'; sandbox"],
        "Cross-Origin-Resource-Policy": ["cross-origin", "same-origin"],
        "Referrer-Policy": ["no-referrer"],
        "X-Content-Type-Options": ["nosniff"],
    ]

    private func headerViolations(
        _ reply: TestClient.Reply,
        _ described: JSONValue,
        path: String
    ) -> [String] {
        // The fields that every response has belong to HTTP, or are described once at the beginning of the document.
        let plain: Set<String> = ["content-type", "content-length", "date", "connection", "x-request-id"]
        let names = described["headers"].members.reduce(into: [String: JSONValue]()) {
            $0[$1.key.lowercased()] = schema.resolved($1.value)
        }
        var violations: [String] = []
        // Responses to input that the server cannot parse have no request ID and have one of these statuses.
        let refused: Set = [400, 408, 413, 414, 417, 431, 500, 501, 503, 505]
        let id = reply["X-Request-Id"] ?? (refused.contains(reply.status) ? "none" : "")
        if !(1...128).contains(id.utf8.count) || !id.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) {
            violations.append("header X-Request-Id is \(id)")
        }
        // The playground's own policy is tested with the playground.
        let isPlayground = PlaygroundFile.paths.contains(path) && [200, 304].contains(reply.status)
        for (name, values) in Self.protectiveHeaders
        where !values.contains(reply[name] ?? "") && !(isPlayground && name == "Content-Security-Policy") {
            violations.append("header \(name) is \(reply[name] ?? "missing")")
        }
        for (name, value) in reply.headers
        where !plain.contains(name.lowercased()) && Self.protectiveHeaders[name] == nil
            && !name.hasPrefix("Access-Control-") && name != "Timing-Allow-Origin"
        {
            guard let header = names[name.lowercased()] else {
                violations.append("header \(name) is not described")
                continue
            }
            let isInteger = schema.resolved(header["schema"])["type"] == .string("integer")
            let json = isInteger ? Int(value).map(JSONValue.integer) ?? .string(value) : .string(value)
            violations += schema.violations(of: json, against: header["schema"], at: name)
        }
        for (name, header) in names where header["required"] == .bool(true) && reply[name] == nil {
            violations.append("header \(name) is missing")
        }
        return violations
    }

    private func contentViolations(
        _ reply: TestClient.Reply,
        _ described: JSONValue,
        method: String
    ) -> [String] {
        let content = described["content"].members
        guard let type = reply["Content-Type"]?.prefix(while: { $0 != ";" }) else {
            return content.isEmpty && reply.body.isEmpty ? [] : ["there is no content type"]
        }
        guard let media = content[String(type)] else { return ["\(type) is not described"] }
        guard method != "HEAD" else { return reply.body.isEmpty ? [] : ["an answer to HEAD has a body"] }
        guard type.hasSuffix("json") else { return [] }
        guard let value = try? JSONValue(json: reply.body) else { return ["the body is not JSON: \(reply.text)"] }
        var violations = schema.violations(of: value, against: media["schema"])
        if type == "application/problem+json", value["status"] != .integer(reply.status) {
            violations.append("a problem of status \(value["status"]) with status \(reply.status)")
        }
        return violations
    }
}
