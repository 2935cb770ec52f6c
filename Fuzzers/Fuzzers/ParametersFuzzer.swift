import Admission
import HTTPServer
import HTTPTypes
import Pipeline
@testable import HeadroomAPI
import Pipeline
import Requests

extension Fuzzer {
    /// Parameters as a JSON object (`{`), as a form (`--b`) or as a query (anything else).
    ///
    /// Invariants: the canonical form of a query, which is signed, has the same meaning as the query. An object has the
    /// same meaning if all its characters are written as escapes.
    static let parameters = Fuzzer(name: "parameters", maxLength: 1024) {
        [
            "url=https%3A%2F%2Fexample.com%2Fa.jpg&aspect=16:9,1.5&width=400&gravity=face:2&padding=24px&quality=source",
            "aspect=1:1&gravity=point:0.3,0.6&fit=pad&background=blur&dpr=2&enlarge=true&format=webp&losslessCrop=false",
            "region=0.1,20px,0.5,1&trim=10&focus=0.2,0.1,0.3,0.4;5px,0,9px,1,2.5&rotate=90&flip=both&width=9&format=focus",
            "chromaKey=auto&tolerance=0.3&spill=.5&backdrop=blur&backdropUrl=http%3A%2F%2Fh%2Fb.png",
            "chromaKey=00b140&backdrop=fff&format=jpeg&filter=mono,blur:2.5,sharpen:1,vignette,brightness:1.2,contrast:.5,saturation:10,hue:90,gamma:2&format=png",
            "place=0.3,.7&aspect=faces&gravity=centermost&fallback=point:0.5,1&focus=0,0,0.2,1,-2&mask=rounded:0.1&format=png",
            "placeholder=blurhash&download=a.b&preset=avatar&place=keep&mask=circle&layout=hold",
            "fit=inside&width=200&height=100&gravity=bottom-left",
            "expires=1700000000&maxUpload=10&digest=00&signature=ff&minFace=0.1&zoom=0.5&fallback=center&place=left&accuracy=low",
            "redact=blur&redactFaces=1,3&redactShape=oval&redactAreas=0,0,9px,0.5;0.5,0,1,1&overlay=halo,hat&aspect=1:1&upright=true&align=eyes&eyes=0.4",
            "{\"url\": \"http://h/\", \"width\": 3, \"zoom\": 1e-1, \"lossless\": true}",
            "\u{FEFF}{\"v\": \"\\ud83d\\ude00\\u0000\\\"\\/\", \"dpr\": -0.0E+1, \"enlarge\": false}",
            "--b\r\nContent-Disposition: form-data; name=\"height\"\r\n\r\n10\r\n--b--",
        ].map { Array($0.utf8) }
    } run: { input in
        switch input.first {
        // An object may start with a byte order mark.
        case UInt8(ascii: "{"), 0xEF:
            readObject(Array(input))
            readBody(Array(input), type: "application/json")
        case UInt8(ascii: "-"): readBody(Array(input), type: "multipart/form-data; boundary=b")
        default: readQuery(String(decoding: input, as: UTF8.self))
        }
    }

    private static func readBody(_ body: [UInt8], type: String) {
        for (path, route) in [("/frame", ImageRoute.frame), ("/faces", .faces)] {
            let request = ServerRequest(method: .post, target: path, headers: [.contentType: type], body: body)
            _ = try? ImageCall(
                request,
                route: route,
                authorization: .everyone,
                signer: nil,
                settings: ReloadableSettings(),
                body: RequestBody(
                    request,
                    ContentCoding.Limits(maxBytes: 1 << 20, budget: ByteBudget(limit: 1 << 22))
                ),
                deadline: .now
            )
        }
    }

    private static func readObject(_ bytes: [UInt8]) {
        guard let object = try? ParameterObject(bytes) else { return }
        let members = object.pairs.map { "\(escaped($0.name)):\(escaped($0.value))" }
        let again = try? ParameterObject(Array("{\(members.joined(separator: ","))}".utf8))
        let isSame = again?.pairs.elementsEqual(object.pairs) { $0.name == $1.name && $0.value == $1.value }
        precondition(isSame == true, "the object means something else in escapes")
    }

    /// Returns a JSON string that consists of escapes only, with surrogate pairs if necessary.
    private static func escaped(_ text: String) -> String {
        let units = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
        }
        return "\"\(units.joined())\""
    }

    private static func readQuery(_ text: String) {
        guard let query = try? SignedQuery(text) else { return }
        let canonical = CanonicalRequest(.get, path: "/frame", pairs: query.signedPairs)
        let request = ServerRequest(method: .get, target: canonical.target)
        guard let again = try? SignedQuery(request.query) else { preconditionFailure("the canonical query is invalid") }
        precondition(
            CanonicalRequest(.get, path: request.path, pairs: again.signedPairs).target == canonical.target,
            "the canonical form of the canonical query differs"
        )
        _ = try? SignatureLimits(query, method: .post)
        let first = try? FrameParameters(query.pairs, known: Parameter.all)
        let second = try? FrameParameters(again.pairs, known: Parameter.all)
        precondition(first?.given == second?.given, "the canonical query has other parameters")
        let (one, other) = (first?.options, second?.options)
        precondition(one?.aspects == other?.aspects && one?.framing == other?.framing)
    }
}
