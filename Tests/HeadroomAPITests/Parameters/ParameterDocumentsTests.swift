import Foundation
import HeadroomAPI
import Imaging
import Requests
import TestPacing
import Testing

/// Documents, clients and the fuzzer's dictionary match the parameter table.
///
/// `HEADROOM_UPDATE_SNAPSHOTS=1 swift test --filter ParameterDocuments` regenerates them.
@Suite(.limitedConcurrency, .serialized) struct ParameterDocumentsTests {
    private let table = ParameterDocuments(Parameter.all)

    @Test(arguments: ParameterDocuments.operations)
    func `openapi.yaml lists the parameters of each operation`(operation: String, routes: Parameter.Routes) throws {
        let content = "parameters of \(operation)"
        try GeneratedText(path: "openapi.yaml", content: content, comment: ("# ", "")) { _ in table.references(routes) }
            .check()
    }

    @Test func `openapi.yaml lists the values of each parameter`() throws {
        let parts: [(String, ([String]) -> [String])] = [
            ("parameters", table.components), ("schemas of parameters", { _ in table.schemas }),
            ("forms and objects", { _ in table.bodies }),
        ]
        for (content, lines) in parts {
            try GeneratedText(path: "openapi.yaml", content: content, comment: ("# ", ""), lines: lines).check()
        }
    }

    @Test func `docs/parameters.md has a row for each parameter`() throws {
        let text = GeneratedText(path: "docs/parameters.md", content: "parameters", comment: ("<!-- ", " -->")) { _ in
            table.page
        }
        try text.check()
    }

    @Test func `docs/filters.md has a row and a definition for each filter`() throws {
        let path = "docs/filters.md"
        try GeneratedText(path: path, content: "filters", comment: ("<!-- ", " -->")) { _ in ParameterDocuments.filters
        }
        .check()
        let text = try String(contentsOf: Promtool.repository.appending(path: path), encoding: .utf8)
        let definitions = try #require(text.split(separator: "\n## ").first { $0.hasPrefix("Definitions") })
        for name in ImageFilter.Name.allCases {
            #expect(definitions.contains(try Regex("(?m)^(\\| |- )`\(name.rawValue)[`:]")), "\(name.rawValue)")
        }
    }

    @Test func `the playground has a control for each parameter`() throws {
        let path = "Sources/Service/HeadroomAPI/Playground/parameters.js"
        try GeneratedText(path: path, content: "controls", comment: ("// ", "")) { _ in table.controls }.check()
        try GeneratedText(path: path, content: "old names", comment: ("// ", "")) { _ in table.oldNamesOfPlayground }
            .check()
    }

    @Test func `the clients have the parameters of each route`() throws {
        let python = "Clients/python/src/headroom/parameters.py"
        try GeneratedText(path: python, content: "parameters", comment: ("# ", "")) { _ in table.python }.check()
        let script = "Clients/javascript/headroom.js"
        try GeneratedText(path: script, content: "parameters", comment: ("// ", "")) { _ in table.javaScript }.check()
        let types = "Clients/javascript/headroom.d.ts"
        try GeneratedText(path: types, content: "parameters", comment: ("// ", "")) { _ in table.typeScript }.check()
    }

    @Test func `the fuzzer's dictionary contains the names and words`() throws {
        let path = "Fuzzers/Dictionaries/parameters.dict"
        try GeneratedText(path: path, content: "parameters", comment: ("# ", "")) { _ in table.dictionary }.check()
    }

    @Test func `an additional row appears in every list`() throws {
        let opacity = Parameter.example
        let more = ParameterDocuments(Parameter.all + [opacity])
        let lists: [(String, (ParameterDocuments) -> [String])] = [
            ("      - $ref: '#/components/parameters/opacity'", { $0.references(.frame) }),
            ("      name: opacity", { $0.components([]) }),
            ("    opacity: { type: number, minimum: 0, maximum: 1, description: 'Default: `1`.' }", \.schemas),
            ("        opacity: { $ref: '#/components/schemas/opacityMember' }", \.bodies),
            ("    opacity: float", \.python), ("  opacity: ANY,", \.javaScript), ("  opacity?: number;", \.typeScript),
            ("\"&opacity=\"", \.dictionary),
        ]
        for (line, list) in lists {
            #expect(list(more).contains { $0.hasSuffix(line) }, "\(line)")
            #expect(!list(table).contains { $0.hasSuffix(line) }, "\(line)")
        }
        let row = "| `opacity` | 0 to 1 | `1` | Opacity of the output. Requires `chromaKey`. |"
        #expect(more.rows([opacity]).contains(row))
        let control = "    number(\"opacity\", \"Opacity\", \"1\", \"Opacity of the output.\"),"
        #expect(more.controls.contains(control))
    }

    @Test func `a row parses its value and rejects parameters that cannot be combined with it`() throws {
        for (value, needed, errors) in [("0.5", true, 0), ("2", true, 1), ("0.5", false, 1)] {
            let pairs = [(name: "spill", value: value)] + (needed ? [(name: "chromaKey", value: "auto")] : [])
            let found = Result { try FrameParameters(pairs, known: Parameter.all) }
            if case .failure(let all as ParameterErrors) = found {
                #expect(all.all.count == errors)
            } else {
                #expect(errors == 0)
            }
        }
    }

    @Test func `every parameter has a unique name and a help text that is a sentence`() {
        #expect(Set(Parameter.all.map(\.name)).count == Parameter.all.count)
        for parameter in Parameter.all {
            #expect(parameter.help.hasSuffix(".") && !parameter.help.contains("|"), "\(parameter)")
            #expect(!parameter.routes.isEmpty, "\(parameter)")
            if case .value(let value) = parameter.standard {
                let pairs = [(name: parameter.name, value: value)]
                let needs = parameter.needs.map { [(name: $0.name, value: $0 == .align ? "eyes" : "fill")] } ?? []
                let key = parameter.needs == .chromaKey ? [(name: "chromaKey", value: "auto")] : needs
                #expect(throws: Never.self, "\(parameter)") { try FrameParameters(pairs + key, known: Parameter.all) }
            }
        }
    }
}
