import Addresses
import Foundation
import Geometry
import HeadroomAPI
import Imaging
import Requests
import TestHTTP
import TestImages
import TestPacing
import Testing
import Workers

/// Videos of animations, with programs in place of an encoder.
@Suite(.limitedConcurrency, .enabled(if: ConverterSet.obstacle() == nil, "this machine cannot confine converters"))
struct VideoRouteTests {
    private static let python = "/usr/bin/python3"
    private static let hasPython = FileManager.default.isExecutableFile(atPath: python)

    /// The smallest script of the shell that writes the signature of a format.
    private static func signature(_ format: VideoFormat) -> String {
        switch format {
        case .mp4: #"printf '\000\000\000\020ftypisom\000\000\002\000'"#
        case .webm: #"printf '\032\105\337\243\237\102\202\204webm'"#
        }
    }

    /// A program of Python that writes a signature, the size of the frames, and their delays in milliseconds.
    private static let description = """
        import struct, sys
        data = sys.stdin.buffer.read()
        place, words = 8, []
        while place < len(data):
            count, kind = struct.unpack(">I4s", data[place:place + 8])
            body = data[place + 8:place + 8 + count]
            if kind == b"IHDR":
                words.append("%dx%d" % struct.unpack(">II", body[:8]))
            if kind == b"fcTL":
                words.append("%d/%d" % struct.unpack(">HH", body[20:24]))
            place += 12 + count
        sys.stdout.buffer.write(b"\\0\\0\\0\\x10ftypisom\\0\\0\\2\\0" + " ".join(words).encode())
        """

    private let gif: [UInt8]

    init() throws {
        let size = PixelSize(width: 120, height: 60)
        let writer = try AnimationEncoder.begin(.gif, size: size, plays: 0)
        for step in 0..<3 {
            let image = try TestImage.rgb(size) { x, y in
                (20 * step..<20 * step + 20).contains(x) ? (250, 20, 20) : (UInt8(x), UInt8(y), 90)
            }
            try writer.add(image, milliseconds: 200)
        }
        gif = try writer.finish()
    }

    private func options(
        _ format: VideoFormat,
        _ script: String,
        timeout: Duration = .seconds(60)
    ) throws -> TestService.Options {
        try options(format, "sh", ["-c", script], timeout: timeout)
    }

    private func options(
        _ format: VideoFormat,
        _ program: String,
        _ arguments: [String],
        memory: Int = 64 << 20,
        timeout: Duration = .seconds(60)
    ) throws -> TestService.Options {
        var options = TestService.Options()
        options.converters.byVideoFormat[format] = try converter(program, arguments, memory: memory, timeout: timeout)
        return options
    }

    private func converter(
        _ program: String,
        _ arguments: [String],
        memory: Int = 64 << 20,
        timeout: Duration = .seconds(60)
    ) throws -> Converter {
        let arguments = try arguments.map { try #require(ConverterArgument($0)) }
        var converter = Converter(try ConverterProgram(program), arguments)
        converter.memory = memory
        converter.maxOutputBytes = 1_000_000
        converter.timeout = timeout
        return converter
    }

    @Test(.enabled(if: hasPython)) func `a program gets all frames with their times and even sides`() async throws {
        let options = try options(.mp4, Self.python, ["-I", "-S", "-c", Self.description], memory: 128 << 20)
        try await TestService.running(ScriptedDetector(), options) { service in
            for (query, size) in [
                ("", "120x60"), ("&width=51&height=31", "50x30"), ("&width=60&height=60&fit=pad", "60x60"),
            ] {
                let reply = try await service.request("POST", "/frame?gravity=center&format=mp4\(query)", body: gif)
                #expect(reply.status == 200, "\(reply.text)")
                #expect(reply["Content-Type"] == "video/mp4" && reply["Vary"] == nil)
                let words = String(decoding: reply.body.dropFirst(16), as: UTF8.self)
                #expect(words == "\(size) 200/1000 200/1000 190/1000 10/1000")
            }
        }
    }

    @Test(arguments: VideoFormat.allCases)
    func `a video is cached with its format, and has a name`(format: VideoFormat) async throws {
        var options = try options(format, Self.signature(format))
        options.caches = CacheConfiguration()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.gif": .file(gif)]) { origin in
                let target = "/frame?format=\(format.rawValue)&download=film&gravity=center&url="
                var tags: Set<String> = []
                for isCached in [false, true] {
                    let reply = try await service.request("GET", target + percentEncoded(origin + "/a.gif"))
                    #expect(reply.status == 200, "\(reply.text)")
                    #expect(reply["Content-Type"] == format.mediaType)
                    #expect(reply["Cache-Status"]?.contains("hit") == isCached)
                    #expect(reply["Content-Disposition"]?.contains("film.\(format.rawValue)") == true)
                    tags.insert(try #require(reply["ETag"]))
                }
                let image = try await service.request(
                    "GET",
                    "/frame?format=gif&gravity=center&url=" + percentEncoded(origin + "/a.gif")
                )
                #expect(image["Content-Type"] == "image/gif")
                tags.insert(try #require(image["ETag"]))
                #expect(tags.count == 2)
            }
        }
    }

    @Test func `without a program, the problem names the setting`() async throws {
        for (options, format) in [
            (TestService.Options(), VideoFormat.mp4), (try options(.mp4, Self.signature(.mp4)), .webm),
        ] {
            try await TestService.running(ScriptedDetector(), options) { service in
                let reply = try await service.request("POST", "/frame?format=\(format.rawValue)", body: gif)
                #expect(reply.status == 415)
                #expect(reply.text.contains("the entry \(format.rawValue) of output in the setting converters"))
            }
        }
    }

    @Test func `automatic formats are never videos, and a video of a still image is rejected`() async throws {
        try await TestService.running(ScriptedDetector(), try options(.mp4, Self.signature(.mp4))) { service in
            for accept in ["video/mp4", "video/mp4,image/webp;q=0.1", "*/*"] {
                let headers = [("Accept", accept)]
                let reply = try await service.request("POST", "/frame?gravity=center", headers: headers, body: gif)
                #expect(reply.status == 200 && reply["Content-Type"]?.hasPrefix("image/") == true)
            }
            let still = try await service.request("POST", "/frame?format=mp4", body: Images.blankPNG.get())
            #expect(still.status == 422 && still.text.contains("received a still PNG image"), "\(still.text)")
        }
    }

    /// Programs of the shell, the status and the words of the problem.
    private static let failures: [(script: String, status: Int, words: String)] = [
        ("exit 3", 500, "could not be encoded"), ("kill -9 $$", 500, "could not be encoded"),
        (":", 500, "could not be encoded"), ("printf 'GIF89a'", 500, "could not be encoded"),
        (signature(.webm), 500, "could not be encoded"),
        ("while :; do printf '%100000d' 1; done", 422, "exceeds the limit of 1000000 bytes"),
        ("( : ); \(signature(.mp4))", 500, "could not be encoded"),
        ("read line < /etc/passwd && \(signature(.mp4))", 500, "could not be encoded"),
    ]

    @Test(arguments: failures.indices)
    func `a program that fails or attacks costs one request`(index: Int) async throws {
        let (script, status, words) = Self.failures[index]
        try await TestService.running(ScriptedDetector(), try options(.mp4, script)) { service in
            let reply = try await service.request("POST", "/frame?format=mp4", body: gif)
            #expect(reply.status == status && reply.text.contains(words), "\(reply.text)")
            let image = try await service.request("POST", "/frame?format=gif&gravity=center", body: gif)
            #expect(image.status == 200)
        }
    }

    @Test func `a program that hangs is killed, and the same video is then rejected`() async throws {
        let options = try options(.mp4, "while :; do :; done", timeout: .milliseconds(500))
        try await TestService.running(ScriptedDetector(), options) { service in
            var texts: [String] = []
            for _ in 0..<3 {
                let reply = try await service.request("POST", "/frame?format=mp4", body: gif)
                // 503 on a busy machine, which gave the program too little processor time.
                #expect([422, 503].contains(reply.status), "\(reply.text)")
                texts.append(reply.text)
            }
            #expect(texts.last?.contains("It is rejected for another 5 min.") == true, "\(texts)")
            // Another size is another video.
            let other = try await service.request("POST", "/frame?format=mp4&width=20", body: gif)
            #expect(!other.text.contains("It is rejected"), "\(other.text)")
        }
    }

    @Test func `frames that exceed half of the memory for sources are rejected`() async throws {
        let size = PixelSize(width: 60, height: 40)
        let writer = try AnimationEncoder.begin(.gif, size: size, plays: 0)
        for step in 1...2 {
            let noise = try TestImage.rgb(size) { x, y in
                let value = UInt8(truncatingIfNeeded: (x * x * 31 + y * y * 17 + x * y * 7) * (step + x + 3 * y) >> 3)
                return (value, value &* 5, value &* 11)
            }
            try writer.add(noise, milliseconds: 100)
        }
        let source = try writer.finish()
        var options = try options(.mp4, Self.signature(.mp4))
        options.maxBodyBytes = 40_000
        options.maxSourceMemory = 80_000
        try await TestService.running(ScriptedDetector(), options) { service in
            for (query, status) in [("width=900&height=600&enlarge=true", 422), ("width=6&height=4", 200)] {
                let target = "/frame?format=mp4&gravity=center&\(query)"
                let reply = try await service.request("POST", target, body: source)
                #expect(reply.status == status, "\(reply.text)")
                #expect(status == 200 || reply.text.contains("exceed the limit of 40000 bytes"), "\(reply.text)")
            }
        }
    }

    @Test func `metrics count the runs of programs by use, format and outcome`() async throws {
        var options = try options(.mp4, Self.signature(.mp4))
        options.converters.byVideoFormat[.webm] = try converter("sh", ["-c", "exit 1"])
        options.converters.byFormat[.svg] = try converter("sh", ["-c", "printf 'P6 1 1 255\\nabc'"])
        try await TestService.running(ScriptedDetector(), options) { service in
            for _ in 0..<2 { _ = try await service.request("POST", "/frame?format=mp4", body: gif) }
            _ = try await service.request("POST", "/frame?format=webm", body: gif)
            _ = try await service.request("POST", "/frame?format=png&gravity=center", body: Array("<svg/>".utf8))
            let text = try await service.request("GET", "/metrics").text
            for (use, format, outcome, count) in [
                ("output", "mp4", "success", 2), ("output", "mp4", "failed", 0), ("output", "webm", "failed", 1),
                ("output", "webm", "timeout", 0), ("input", "svg", "success", 1),
            ] {
                let labels = #"use="\#(use)",format="\#(format)",outcome="\#(outcome)""#
                #expect(text.contains("headroom_converter_runs_total{\(labels)} \(count)\n"), "\(labels)")
            }
            #expect(text.contains(#"headroom_converter_seconds_total{use="output",format="mp4"} "#))
            #expect(text.contains(#"headroom_converter_cpu_seconds_total{use="input",format="svg"} "#))
            #expect(text.contains("headroom_results_total{format=\"mp4\"} 2\n"))
        }
    }

    @Test func `URLs of other services can request videos, and thumbor's gifv ignores still images`() async throws {
        var options = try options(.mp4, Self.signature(.mp4))
        options.urlFormats.names = [.thumbor, .imgproxy, .cloudinary]
        try await TestService.running(ScriptedDetector(), options) { service in
            let files: [String: TestOrigin.Response] = [
                "/a.gif": .file(gif), "/b.png": .file(try Images.blankPNG.get()),
            ]
            try await TestOrigin.running(files) { origin in
                let (film, still) = (origin + "/a.gif", origin + "/b.png")
                for target in [
                    "/thumbor/unsafe/60x40/filters:gifv()/\(film)", "/thumbor/unsafe/60x40/filters:format(mp4)/\(film)",
                    "/imgproxy/_/rs:fill:60:40/plain/\(film)@mp4", "/imgproxy/_/f:mp4/plain/\(film)",
                    "/cloudinary/image/fetch/c_fill,w_60,h_40,f_mp4,q_80:444/\(film)",
                ] {
                    let reply = try await service.request("GET", target)
                    #expect(reply.status == 200 && reply["Content-Type"] == "video/mp4", "\(target): \(reply.text)")
                }
                let reply = try await service.request("GET", "/thumbor/unsafe/60x40/filters:gifv()/\(still)")
                #expect(reply.status == 200 && reply["Content-Type"] == "image/png", "\(reply.text)")
                #expect(reply["Headroom-Ignored"] == "gifv")
                let first = try await service.request("GET", "/thumbor/unsafe/60x40/filters:cover():gifv()/\(film)")
                #expect(first["Content-Type"]?.hasPrefix("image/") == true && first["Headroom-Ignored"] == "mp4")
            }
        }
    }
}
