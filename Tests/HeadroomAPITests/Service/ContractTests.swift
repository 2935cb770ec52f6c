import FaceDetection
import Framing
import Geometry
import HTTPTypes
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import TestHTTP
import TestPacing
import Testing

/// Compares openapi.yaml with the code; ``TestService`` checks all responses of the suite against openapi.yaml.
@Suite(.limitedConcurrency) struct ContractTests {
    private let contract: Contract
    private let schemas: JSONValue

    init() throws {
        contract = try Contract.shared.get()
        schemas = contract.document["components"]["schemas"]
    }

    private func route(_ path: String) throws -> Route {
        try #require(Route.of(path: Self.example(of: path)))
    }

    /// A path that matches a template.
    private static func example(of path: String) -> String {
        path.replacing("{index}", with: "1").replacing("{file}", with: "app.js").replacing("{preset}", with: "avatar")
    }

    private func words(_ schema: JSONValue) -> Set<String> { Set(schema["enum"].elements.compactMap(\.string)) }

    @Test func `the version and the OpenAPI version are current`() {
        #expect(contract.document["openapi"] == "3.1.0")
        #expect(contract.document["info"]["version"] == .string(HeadroomVersion.current))
    }

    @Test func `every reference resolves`() {
        func check(_ value: JSONValue) {
            if let reference = value["$ref"].string {
                #expect(!contract.schema.resolved(value).isNull, "\(reference)")
            }
            for member in value.members.values { check(member) }
            for element in value.elements { check(element) }
        }
        check(contract.document)
    }

    @Test func `openapi.yaml has no aliases, because generators in Java accept only 50`() throws {
        let lines = String(decoding: StatusResponse.openAPI.body, as: UTF8.self).split(separator: "\n")
        // An alias or an anchor is the first character of a value.
        let aliases = lines.filter { $0.contains(#/(: |- |\[|, )[*&]\w+\]?$/#) }
        #expect(aliases == [])
    }

    @Test func `openapi.yaml contains no end of a comment, which generators copy into comments`() {
        #expect(!String(decoding: StatusResponse.openAPI.body, as: UTF8.self).contains("*/"))
    }

    @Test func `HEAD and POST get the same responses as GET`() {
        for (path, item) in contract.document["paths"].members where !item["get"].isNull {
            for method in ["head", "post"] where !item[method].isNull {
                #expect(item[method]["responses"] == item["get"]["responses"], "\(method) \(path)")
            }
        }
    }

    @Test func `every operation has one tag, which is declared`() {
        let declared = Set(contract.document["tags"].elements.compactMap { $0["name"].string })
        for (path, method, operation) in contract.operations {
            let tags = operation["tags"].elements.compactMap(\.string)
            #expect(tags.count == 1 && declared.isSuperset(of: tags), "\(method) \(path)")
        }
        #expect(declared == Set(contract.operations.flatMap { $0.operation["tags"].elements.compactMap(\.string) }))
    }

    @Test func `every component is used`() {
        var used: Set<String> = []
        func collect(_ value: JSONValue) {
            if let reference = value["$ref"].string { used.insert(reference) }
            for member in value.members.values { collect(member) }
            for element in value.elements { collect(element) }
        }
        collect(contract.document)
        // The responses to requests that do not match an operation.
        let apart: Set<String> = ["NotFound", "MethodNotAllowed", "NotImplemented", "VersionNotSupported"]
        // Security schemes are referenced by name and not with `$ref`.
        for (section, components) in contract.document["components"].members where section != "securitySchemes" {
            for name in components.members.keys where !apart.contains(name) {
                #expect(used.contains("#/components/\(section)/\(name)"))
            }
        }
    }

    @Test func `paths and methods match the routes`() throws {
        var described: [String: Set<String>] = [:]
        for (path, method, _) in contract.operations { described[path, default: []].insert(method) }
        // The document does not list the URLs of other services.
        #expect(Set(try described.keys.map(route)) == Set(Route.all))
        for (path, methods) in described {
            #expect(methods == Set(try route(path).methods.map(\.rawValue)), "\(path)")
        }
    }

    @Test func `openapi.yaml lists exactly the files that the playground serves`() {
        let schema = contract.document["paths"]["/playground/{file}"]["parameters"].elements.first?["schema"]
        let listed = Set((schema?["enum"].elements ?? []).compactMap(\.string).map { "/playground/\($0)" })
        #expect(listed == PlaygroundFile.paths.subtracting(["/"]))
    }

    @Test func `every operation has a route`() async throws {
        try await TestService.running { service in
            for (path, method, _) in contract.operations {
                let reply = try await service.request(method, Self.example(of: path))
                #expect(reply.status != 404 && reply.status != 405, "\(method) \(path)")
            }
        }
    }

    @Test func `parameters match the routes, in queries, forms and objects`() throws {
        for (path, method, operation) in contract.operations where method != "OPTIONS" {
            let names = operation["parameters"].elements
                .map { contract.schema.resolved($0) }
                .filter { $0["in"] == "query" }
                .compactMap { $0["name"].string }
            let current = try route(path).parameters.map(\.name)
            let expected = current + DeprecatedName.parameters.filter { current.contains($0.new) }.map(\.old)
            #expect(names == expected, "\(method) \(path)")
            // A stream's request body has no parameters.
            guard method == "POST", try route(path) != .stream else { continue }
            let content = contract.schema.resolved(operation["requestBody"])["content"]
            let form = contract.schema.resolved(content["multipart/form-data"]["schema"])["properties"].members
            #expect(Set(form.keys) == Set(expected + ["image"]))
            let object = contract.schema.resolved(content["application/json"]["schema"])["properties"].members
            #expect(Set(object.keys) == Set(expected + ["image"]))
            #expect(
                Set(content.members.keys)
                    == [
                        "image/*", "application/octet-stream", "multipart/form-data", "application/json",
                        "application/x-www-form-urlencoded",
                    ]
            )
        }
    }

    @Test func `every parameter has a description and a valid example`() throws {
        for (_, parameter) in contract.document["components"]["parameters"].members {
            let name = try #require(parameter["name"].string)
            #expect(parameter["description"].string?.isEmpty == false)
            let examples = parameter["examples"].members.values.map { $0["value"] } + [parameter["example"]]
            for example in examples where !example.isNull {
                #expect(contract.schema.violations(of: example, against: parameter["schema"]) == [], "\(name)")
                #expect(throws: Never.self) {
                    if SignatureParameter(rawValue: name) != nil {
                        _ = try SignatureLimits(SignedQuery("\(name)=\(text(example))"), method: .post)
                    } else {
                        _ = try read(name, text(example))
                    }
                }
            }
        }
    }

    @Test func `credentials are described for exactly the routes that require them`() throws {
        let schemes = contract.document["components"]["securitySchemes"]
        #expect(schemes["signature"]["name"] == .string(SignatureParameter.signature.rawValue))
        #expect(schemes["bearer"]["scheme"] == "bearer")
        let offered = contract.document["security"].elements.map { Set($0.members.keys) }
        #expect(Set(offered) == [[], ["signature"], ["bearer"]])
        let limits = Set(SignatureParameter.allCases.map(\.rawValue)).subtracting(["signature"])
        for (path, method, operation) in contract.operations {
            let needsNone = operation["security"] == .array([])
            let servesImages = try route(path).servesImages
            #expect(needsNone == (!servesImages || method == "OPTIONS"), "\(method) \(path)")
            let common = contract.document["paths"][path]["parameters"].elements
                .compactMap { contract.schema.resolved($0)["name"].string }
            #expect(Set(common).isSuperset(of: servesImages ? limits : []))
        }
    }

    @Test func `defaults match the code`() throws {
        let standard = try FrameParameters([], known: Parameter.all)
        let names = [
            "dpr", "enlarge", "fit", "gravity", "fallback", "zoom", "padding", "place", "accuracy", "format",
        ]
        func described(_ name: String) throws -> String {
            let text = try #require(schemas[name]["description"].string)
            return String(text.trimmingPrefix("Default: `").prefix { $0 != "`" })
        }
        for name in names {
            let parameters = try read(name, described(name))
            #expect(parameters.options.resultSize == standard.options.resultSize, "\(name)")
            #expect(parameters.options.framing == standard.options.framing, "\(name)")
            #expect(parameters.options.accuracy == standard.options.accuracy, "\(name)")
            #expect(parameters.format == standard.format, "\(name)")
        }
        #expect(try Background(described("background")) == standard.options.background)
        let quality = contract.document["components"]["parameters"]["quality"]["description"]
        #expect(quality.string?.contains("\(ImageEncoder.defaultQuality)") == true)
    }

    @Test func `schemas have no keywords that generators of clients cannot use`() {
        func check(_ value: JSONValue, _ place: String) {
            // Generated Python cannot read a Boolean with one value, and generated Go sends the defaults of parameters,
            // even of parameters that require another parameter.
            if value["type"] == "boolean" { #expect(value["const"].isNull, "\(place)") }
            #expect(value["type"].isNull || value["default"].isNull, "\(place)")
            for (name, member) in value.members { check(member, "\(place).\(name)") }
            for element in value.elements { check(element, place) }
        }
        for (name, schema) in schemas.members { check(schema, name) }
    }

    @Test(arguments: ["width", "height", "dpr", "zoom", "quality"])
    func `bounds match the code`(name: String) throws {
        let schema = contract.schema.resolved(contract.document["components"]["parameters"][name]["schema"])
        // For "pixels or a percentage", checks the bounds of the pixels.
        let number = schema["anyOf"].elements.first ?? schema
        let minimum = try #require(number["minimum"].double)
        let maximum = try #require(number["maximum"].double)
        let step = number["type"] == "integer" ? 1.0 : 0.01
        for value in [minimum, maximum] { #expect(throws: Never.self) { try read(name, plain(value)) } }
        for value in [minimum - step, maximum + step] {
            #expect(throws: ParameterErrors.self) { try read(name, plain(value)) }
        }
    }

    @Test(arguments: ["v", "vMember"])
    func `the maximum length of v matches the code, in characters`(name: String) throws {
        #expect(schemas[name]["maxLength"] == .integer(FrameParameters.maxVersionLength))
        for letter in ["v", "é", "🙂", "\u{301}"] {
            let longest = String(repeating: letter, count: FrameParameters.maxVersionLength)
            #expect(throws: Never.self) { try read("v", longest) }
            #expect(throws: ParameterErrors.self) { try read("v", longest + letter) }
        }
    }

    @Test func `enumerated words match the code`() {
        let formats = Set(InputFormat.allCases.map(\.rawValue))
        #expect(words(schemas["fallback"]["anyOf"][0]) == Set(Fallback.plainWords))
        #expect(words(schemas["place"]["anyOf"][0]) == Set(Placement.plainWords))
        #expect(words(schemas["fit"]) == Set(Fit.allCases.map(\.rawValue)))
        #expect(words(schemas["accuracy"]) == Set(Accuracy.allCases.map(\.rawValue)))
        #expect(words(schemas["gravity"]["anyOf"][0]) == Set(Gravity.plainWords))
        let routes: [(String, Route)] = [
            ("format", .frame), ("faceFormat", .face), ("facesFormat", .faces), ("streamFormat", .stream),
        ]
        for (name, route) in routes {
            #expect(words(schemas[name]).subtracting(["jpg"]) == Set(route.formats), "\(name)")
        }
        #expect(words(schemas["Source"]["properties"]["format"]) == formats)
        let reasons = schemas["FaceOutcome"]["properties"]["reason"]
        #expect(words(reasons) == Set(Outcome.Reason.allCases.map(\.rawValue) + ["gravity"]))
        let ignored = schemas["Ignored"]["properties"]["reason"]
        #expect(words(ignored) == Set(IgnoredFace.Reason.allCases.map(\.rawValue)))
        #expect(words(schemas["Pose"]) == Set(Pose.allCases.map(\.rawValue)))
        #expect(
            words(schemas["Problem"]["properties"]["type"])
                == Set(Problem.Kind.allCases.map { "urn:headroom:problem:\($0.rawValue)" })
        )
        #expect(schemas["Plan"]["properties"]["crops"]["maxItems"] == .integer(FrameParameters.maxAspects))
        let images = Set(OutputFormat.allCases.map(\.mediaType))
        let videos = VideoFormat.allCases.map(\.mediaType)
        let others = [
            "Frame": videos + ["application/json", "text/html"], "Face": ["application/json"],
            "Faces": ["application/json", "application/zip", "multipart/mixed"],
        ]
        for (name, types) in others {
            let described = contract.document["components"]["responses"][name]["content"].members.keys
            #expect(Set(described) == images.union(types), "\(name)")
        }
    }

    @Test func `every kind of problem is described in the responses`() {
        let explained = contract.document["components"]["responses"].members.values
            .compactMap { $0["description"].string }.joined()
        for kind in Problem.Kind.allCases { #expect(explained.contains("`\(kind.rawValue)`")) }
    }

    @Test func `the examples of responses are valid`() {
        for (name, response) in contract.document["components"]["responses"].members {
            for media in response["content"].members.values where !media["example"].isNull {
                #expect(contract.schema.violations(of: media["example"], against: media["schema"]) == [], "\(name)")
            }
        }
    }

    private func read(_ name: String, _ value: String) throws -> FrameParameters {
        // A background is valid only with a `fit` that shows it.
        var others = name == "background" ? [(name: "fit", value: "pad")] : []
        // A backdrop is valid only with a chroma key.
        if ["tolerance", "spill", "backdrop", "backdropUrl"].contains(name) {
            others = [(name: "chromaKey", value: "auto")]
        }
        if ["redactFaces", "redactShape", "redactAreas"].contains(name) { others = [(name: "redact", value: "fill")] }
        let presets = PresetSet([try Preset("avatar", [(name: "accuracy", value: "low")])])
        return try FrameParameters([(name: name, value: value)] + others, known: Parameter.all, presets: presets)
    }

    private func text(_ value: JSONValue) -> String {
        value.string ?? value.double.map(plain) ?? "\(value.bool ?? false)"
    }

    private func plain(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}

/// Tests of the validator: if it accepted everything, the other tests would be worthless.
@Suite(.limitedConcurrency) struct JSONSchemaTests {
    private func violations(_ value: String, _ schema: String) throws -> Int {
        let schema = try JSONValue(yaml: schema)
        return try JSONSchema(document: schema).violations(of: JSONValue(json: Array(value.utf8)), against: schema)
            .count
    }

    @Test(arguments: [
        ("1", "{type: integer}", 0), ("1.5", "{type: integer}", 1), ("1.5", "{type: number}", 0),
        ("\"1\"", "{type: integer}", 1), ("true", "{type: integer}", 1), ("1", "{type: boolean}", 1),
        ("\"a\"", "{type: [number, string]}", 0), ("null", "{type: string}", 1),
        ("\"a\"", "{enum: [a, b]}", 0), ("\"c\"", "{enum: [a, b]}", 1), ("\"c\"", "{const: c}", 0),
        ("3", "{minimum: 3, maximum: 3}", 0), ("2", "{minimum: 3}", 1), ("4", "{maximum: 3}", 1),
        ("\"16:9\"", "{pattern: '^[0-9:]+$'}", 0), ("\"x\"", "{pattern: '^[0-9:]+$'}", 1),
        ("\"abc\"", "{maxLength: 2}", 1), ("[]", "{minItems: 1}", 1), ("[1, 2]", "{maxItems: 1}", 1),
        ("[1, \"2\", 3.5]", "{items: {type: integer}}", 2),
        ("{\"a\": 1}", "{required: [a, b]}", 1), ("{\"a\": \"x\"}", "{properties: {a: {type: integer}}}", 1),
        ("{\"a\": 1, \"b\": 2}", "{properties: {a: {}}, additionalProperties: false}", 1),
        ("{\"a\": 1, \"b\": 2}", "{properties: {a: {}}}", 0),
        ("1", "{anyOf: [{type: string}, {minimum: 1}]}", 0), ("0", "{anyOf: [{type: string}, {minimum: 1}]}", 1),
        ("1", "{$ref: '#/not/there'}", 1), ("1", "{multipleOf: 2}", 1),
        ("1", "{$ref: '#/$defs/a', $defs: {a: {type: string}}}", 2),
    ])
    func `the validator counts the violations of a schema`(value: String, schema: String, count: Int) throws {
        #expect(try violations(value, schema) == count)
    }
}
