import Foundation
import Geometry
import HeadroomAPI
import Imaging
import TestHTTP
import TestPacing
import Testing
import Workers

/// Files for converters, with programs that work, that fail, and that attack the service.
@Suite(.limitedConcurrency, .enabled(if: ConverterSet.obstacle() == nil, "this machine cannot confine converters"))
struct ConverterRouteTests {
    private static let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='2' height='1'/>".utf8)
    private static let pdf = Array("%PDF-1.7\n".utf8)
    private static let python = "/usr/bin/python3"

    /// A shell script that writes an image whose width is ten times the page number.
    private static let widthOfPage = """
        w=$(( {page} * 10 )); printf 'P6 %d 1 255\\n' $w; i=0
        while [ $i -lt $w ]; do printf abc; i=$((i+1)); done
        """

    private func options(
        _ format: ConvertibleFormat,
        _ script: String,
        timeout: Duration = .seconds(60)
    ) throws -> TestService.Options {
        try options(format, "sh", ["-c", script], timeout: timeout)
    }

    private func options(
        _ format: ConvertibleFormat,
        _ program: String,
        _ arguments: [String],
        memory: Int = 64 << 20,
        timeout: Duration = .seconds(60)
    ) throws -> TestService.Options {
        var options = TestService.Options()
        let arguments = try arguments.map { try #require(ConverterArgument($0)) }
        var converter = Converter(try ConverterProgram(program), arguments)
        converter.memory = memory
        converter.maxOutputBytes = 1_000_000
        converter.timeout = timeout
        options.converters.byFormat[format] = converter
        return options
    }

    @Test func `without a converter, the problem names the setting`() async throws {
        try await TestService.running { service in
            for (body, name, word) in [(Self.svg, "SVG", "svg"), (Self.pdf, "PDF", "pdf")] {
                let reply = try await service.request("POST", "/frame?width=10", body: body)
                #expect(reply.status == 415)
                #expect(reply.text.contains("converts \(name) files: the entry \(word) of the setting converters"))
            }
        }
    }

    @Test func `a file of the format is converted, and files of other formats are not`() async throws {
        let options = try options(.svg, "printf 'P6 2 1 255\\n\\377\\000\\000\\000\\377\\000'")
        try await TestService.running(ScriptedDetector(), options) { service in
            let reply = try await service.request("POST", "/frame?format=png&gravity=center", body: Self.svg)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try ImageHeader.read(reply.body).size.width == 2)
            let other = try await service.request("POST", "/frame?format=png", body: Self.pdf)
            #expect(other.status == 415)
            let image = try await service.request("POST", "/frame?format=png&width=20", body: Images.blankPNG.get())
            #expect(image.status == 200)
        }
    }

    @Test func `page is passed as a number, and distinguishes results`() async throws {
        var options = try options(.pdf, Self.widthOfPage)
        options.caches = CacheConfiguration()
        try await TestService.running(ScriptedDetector(), options) { service in
            try await TestOrigin.running(["/a.pdf": .file(Self.pdf)]) { origin in
                let url = percentEncoded(origin + "/a.pdf")
                var tags: Set<String> = []
                for (page, width) in [("", 10), ("&page=1", 10), ("&page=3", 30), ("", 10), ("&page=2", 20)] {
                    let reply = try await service.request("GET", "/frame?format=png&gravity=center&url=\(url)\(page)")
                    #expect(reply.status == 200, "\(reply.text)")
                    #expect(try ImageHeader.read(reply.body).size.width == width)
                    tags.insert(reply["ETag"] ?? "")
                }
                #expect(tags.count == 4)
                // The faces of one page must not be used for another page.
                for (page, width) in [(1, 10), (2, 20)] {
                    let reply = try await service.request("GET", "/faces?url=\(url)&page=\(page)")
                    #expect(try JSONValue(json: reply.body)["source"]["width"].integer == width)
                }
            }
        }
    }

    @Test func `time is passed in seconds with three decimals`() async throws {
        // The width is the number of characters in the time.
        let script = """
            t={time}; printf 'P6 %d 1 255\\n' ${#t}; i=0; while [ $i -lt ${#t} ]; do printf abc; i=$((i+1)); done
            """
        try await TestService.running(ScriptedDetector(), try options(.pdf, script)) { service in
            for (frame, width) in [("", 5), ("&frame=2.5s", 5), ("&frame=12.05s", 6)] {
                let target = "/frame?format=png&gravity=center\(frame)"
                let reply = try await service.request("POST", target, body: Self.pdf)
                #expect(try ImageHeader.read(reply.body).size.width == width, "\(reply.text)")
            }
        }
    }

    @Test func `pages and frames that the source does not have are rejected`() async throws {
        let options = try options(.pdf, Self.widthOfPage)
        try await TestService.running(ScriptedDetector(), options) { service in
            let image = try Images.blankPNG.get()
            for (query, body, words) in [
                ("page=2", image, "page=2 is not allowed for PNG images"),
                ("frame=2s", image, "frame=2s is not allowed for PNG images"),
                ("frame=2s", Self.pdf, "frame=2s is not allowed for PDF files, whose converter lacks {time}"),
            ] {
                let reply = try await service.request("POST", "/frame?\(query)", body: body)
                #expect(reply.status == 400)
                #expect(reply.text.contains(words), "\(reply.text)")
            }
            let first = try await service.request("POST", "/frame?page=1&frame=0s&format=png", body: image)
            #expect(first.status == 200)
        }
    }

    /// Shell scripts, and the expected words of the problem.
    private static let failures: [(script: String, words: String)] = [
        ("exit 3", "could not read these bytes"),
        ("kill -9 $$", "could not read these bytes"),
        (":", "did not write a PNG, JPEG, PPM or PGM image"),
        ("printf '<svg/>'", "did not write a PNG, JPEG, PPM or PGM image"),
        ("printf 'P6 100 100 255\\nabc'", "did not write a PNG, JPEG, PPM or PGM image"),
        ("printf 'GIF89a'", "did not write a PNG, JPEG, PPM or PGM image"),
        // Lies about its size.
        ("printf 'P6 60000 60000 255\\n'", "60000 × 60000 pixels exceeds the limit of 4000000 pixels"),
        ("printf '\\211PNG\\r\\n\\032\\n'", "The output of the converter: "),
        // Floods.
        ("while :; do printf '%100000d' 1; done", "exceeds the limit of 1000000 bytes"),
        // Starts processes.
        ("( : ); printf 'P6 1 1 255\\nabc'", "could not read these bytes"),
        ("/bin/true; printf 'P6 1 1 255\\nabc'", "could not read these bytes"),
        ("exec /bin/cat /etc/passwd", "could not read these bytes"),
        // Reads and writes files.
        ("read line < /etc/passwd && printf 'P6 1 1 255\\nabc'", "could not read these bytes"),
        ("echo x > '\(written)' && printf 'P6 1 1 255\\nabc'", "could not read these bytes"),
        ("echo x > /dev/shm/headroom-converter && printf 'P6 1 1 255\\nabc'", "could not read these bytes"),
    ]

    private static let written = #filePath + ".written"

    @Test(arguments: failures.indices)
    func `a converter that fails or attacks costs one request`(index: Int) async throws {
        let (script, words) = Self.failures[index]
        try await TestService.running(ScriptedDetector(), try options(.svg, script)) { service in
            let reply = try await service.request("POST", "/frame?format=png", body: Self.svg)
            #expect(reply.status == 422, "\(reply.text)")
            #expect(reply.text.contains(words), "\(reply.text)")
            let image = try await service.request("POST", "/frame?format=png&width=20", body: Images.blankPNG.get())
            #expect(image.status == 200)
        }
        #expect(!FileManager.default.fileExists(atPath: Self.written))
        #expect(!FileManager.default.fileExists(atPath: "/dev/shm/headroom-converter"))
    }

    @Test func `a converter that hangs is killed, and the same conversion is then rejected`() async throws {
        let options = try options(.svg, "while :; do :; done", timeout: .milliseconds(500))
        try await TestService.running(ScriptedDetector(), options) { service in
            var texts: [String] = []
            for _ in 0..<3 {
                let reply = try await service.request("POST", "/frame?format=png", body: Self.svg)
                // 503 occurs on a busy machine that gives the converter too little processor time.
                #expect([422, 503].contains(reply.status), "\(reply.text)")
                texts.append(reply.text)
            }
            #expect(texts.last?.contains("It is rejected for another 5 min.") == true, "\(texts)")
            let image = try await service.request("POST", "/frame?format=png&width=20", body: Images.blankPNG.get())
            #expect(image.status == 200)
        }
    }

    /// Python programs, which exit 9 if a call is denied.
    private static let calls = [
        "socket.socket()", "socket.socket(socket.AF_UNIX)", "socket.socketpair()", "os.fork()",
        "os.kill(os.getppid(), 0)",
        "open('/proc/self/environ').read()", "open('/proc/%d/mem' % os.getppid())", "os.listdir('/etc')",
        "os.unlink('/etc/passwd')", "os.chmod('/etc/passwd', 0)", "os.posix_spawn('/bin/true', ['true'], {})",
        "os.memfd_create('a')", "bytearray(1 << 30)",
    ]

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)), arguments: calls)
    func `a converter cannot use the network, other processes or more memory`(call: String) async throws {
        let script = """
            import os, socket, sys
            try:
                \(call)
            except (OSError, MemoryError):
                sys.exit(9)
            sys.stdout.write("P5 1 1 255\\na")
            """
        let options = try options(.svg, Self.python, ["-I", "-S", "-c", script], memory: 128 << 20)
        try await TestService.running(ScriptedDetector(), options) { service in
            let reply = try await service.request("POST", "/frame?format=png", body: Self.svg)
            #expect(reply.status == 422 && reply.text.contains("could not read these bytes"), "\(reply.text)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func `a converter reads its file and has no other descriptors and variables`() async throws {
        let script = """
            import os, sys
            data = sys.stdin.buffer.read()
            names = sorted(n for n in os.environ if n not in ("LC_CTYPE",))
            def closed(fd):
                try:
                    os.fstat(fd)
                    return False
                except OSError:
                    return True
            good = data.startswith(b"<svg") and names == ["HOME", "LANG", "MALLOC_ARENA_MAX", "PATH"]
            sys.stdout.write("P5 %d 1 255\\n%s" % ((7, "a" * 7) if good and all(map(closed, range(3, 200))) else (1, "a")))
            """
        let options = try options(.svg, Self.python, ["-I", "-S", "-c", script], memory: 128 << 20)
        try await TestService.running(ScriptedDetector(), options) { service in
            let reply = try await service.request("POST", "/frame?format=png&gravity=center", body: Self.svg)
            #expect(try ImageHeader.read(reply.body).size.width == 7, "\(reply.text)")
        }
    }

    /// A recipe of docs/converters.md.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/rsvg-convert")))
    func `rsvg-convert reads SVG`() async throws {
        let arguments = ["--width=200", "--height=200", "--keep-aspect-ratio"]
        let options = try options(.svg, "rsvg-convert", arguments, memory: 200 << 20)
        let text = """
            <?xml version="1.0"?><!-- a drawing -->
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="10">
            <rect width="20" height="10" fill="red"/><image xlink:href="file:///etc/passwd" width="5" height="5"/>
            <image xlink:href="http://127.0.0.1:1/a.png" width="5" height="5"/></svg>
            """
        try await TestService.running(ScriptedDetector(), options) { service in
            let reply = try await service.request("POST", "/frame?format=png&gravity=center", body: Array(text.utf8))
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try ImageHeader.read(reply.body).size.width == 200)
        }
    }
}
