import HTTPServer
import HeadroomAPI
import TestHTTP
import TestPacing
import Testing

/// JSON objects with parameters, in every notation that RFC 8259 allows, and in invalid notations.
@Suite(.limitedConcurrency) struct ParameterObjectTests {
    private func reply(_ body: String, to service: TestService) async throws -> TestClient.Reply {
        let json = [("Content-Type", "application/json")]
        return try await service.request("POST", "/frame", headers: json, body: Array(body.utf8))
    }

    /// The parsed values, taken from the errors in the response.
    private func received(_ body: String) async throws -> [String] {
        try await TestService.running { service in
            let errors = try JSONValue(json: try await reply(body, to: service).body)["errors"].elements
            return errors.map { "\($0["parameter"].string ?? "-")=\($0["received"].string ?? "-")" }
        }
    }

    @Test(arguments: [
        (#"{"url": "x", "width": 0, "width": 0}"#, "width"),
        (#"{"width": 300, "url": "http://example.com/", "width": 400}"#, "width"),
        (#"{"aspect": "1:1", "\u0061spect": "16:9", "url": "http://example.com/"}"#, "aspect"),
        (#"{"url": "http://example.com/a", "url": "http://example.com/b"}"#, "url"),
    ])
    func `the error for a repeated member contains its name`(body: String, name: String) async throws {
        try await TestService.running { service in
            let response = try await reply(body, to: service)
            #expect(response.status == 400)
            let errors = try JSONValue(json: response.body)["errors"].elements
            let expected = JSONValue.string("\(name) only once")
            #expect(errors.contains { $0["parameter"] == .string(name) && $0["expected"] == expected })
        }
    }

    @Test(arguments: [
        (#"{"dpr":"9"}"#, "dpr=9"), (" {\n\t\"dpr\" :\r 9 } \n", "dpr=9"), ("\u{FEFF}{\"dpr\":9}", "dpr=9"),
        (#"{"dpr":true}"#, "dpr=true"), (#"{"dpr":false}"#, "dpr=false"),
        (#"{"dpr":400.0}"#, "dpr=400"), (#"{"dpr":4e2}"#, "dpr=400"), (#"{"dpr":4.5E+1}"#, "dpr=45"),
        (#"{"dpr":-0}"#, "dpr=0"), (#"{"dpr":-0.5}"#, "dpr=-0.5"),
        (#"{"dpr":12345678901234567}"#, "dpr=12345678901234567"),
        (#"{"dpr":1e-400}"#, "dpr=0"), (#"{"dpr":1e30}"#, "dpr=1e+30"),
        (#"{"dpr":"\"\\\/\b\f\n\r\t"}"#, "dpr=\"\\/\u{8}\u{C}\n\r\t"),
        (#"{"dpr":"é\u00e9\u00E9🙂\ud83d\uDE42\u0000"}"#, "dpr=ééé🙂🙂\0"),
        (#"{"\u0064pr":""}"#, "dpr="), (#"{"zoom":null,"dpr":9}"#, "dpr=9"), (#"{"zoom":[],"dpr":9}"#, "dpr=9"),
        (#"{"dpr":["a", 1 ,true,null,0.5]}"#, "dpr=a,1,true,0.5"), (#"{"zoom":[ null ],"dpr":[ 9.0 ]}"#, "dpr=9"),
    ])
    func `values are parsed according to RFC 8259`(body: String, expected: String) async throws {
        #expect(try await received(body).first == expected)
    }

    @Test(arguments: [
        #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a":}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":1}x"#,
        #"{"a":"#,
        #"{"a":01}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":0x10}"#,
        #"{"a":NaN}"#,
        #"{"a":Infinity}"#, #"{"a":1e400}"#, #"{"a":-1e400}"#, #"{"a":tru}"#, #"{"a":truee}"#, #"{"a":None}"#,
        #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12G4"}"#, #"{"a":"\ud83d"}"#, #"{"a":"\ud83d\u0041"}"#,
        #"{"a":"\ude42"}"#,
        "{\"a\":\"\n\"}", #"{"a":"b"#, #"{"a":"\"#, #"{"a":[[1]]}"#, #"{"a":[{}]}"#, #"{"a":[1,]}"#,
        #"{"a":[1"#, #"{"a":[,1]}"#, #"{"a":{}}"#, #"{"a":nul}"#, #"{"a":[nil]}"#,
    ])
    func `invalid or nested values are rejected`(body: String) async throws {
        try await TestService.running { service in
            let response = try await reply(body, to: service)
            #expect(response.status == 400)
            #expect(try JSONValue(json: response.body)["type"] == "urn:headroom:problem:invalid-request")
        }
    }

    @Test func `deep nesting and long numbers cause no crash`() async throws {
        try await TestService.running { service in
            for body in [
                String(repeating: #"{"a":"#, count: 10_000), #"{"a":"# + String(repeating: "[", count: 60_000),
                #"{"a":1"# + String(repeating: "0", count: 60_000) + "}",
                #"{"a":1e"# + String(repeating: "9", count: 60_000) + "}",
            ] {
                #expect(try await reply(body, to: service).status == 400)
            }
            // A long number between 0 and 1 is valid.
            let long = #"{"url":"x","zoom":0.1"# + String(repeating: "1", count: 60_000) + "}"
            let errors = try JSONValue(json: try await reply(long, to: service).body)["errors"].elements
            #expect(errors.compactMap { $0["parameter"].string } == ["url"])
        }
    }

    @Test func `bytes that are not UTF-8 are rejected`() async throws {
        try await TestService.running { service in
            let body = Array(#"{"url":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
            let json = [("Content-Type", "application/json")]
            let response = try await service.request("POST", "/frame", headers: json, body: body)
            #expect(response.status == 400)
        }
    }
}
