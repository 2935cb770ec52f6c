import Foundation
import TestPacing
import TestPrograms
import Testing

/// The values that a command's help lists.
@Suite("Values in help texts", .limitedConcurrency)
struct HelpValueTests {
    /// The arguments of a call with valid options; the input does not exist, so nothing is processed.
    private static let calls = [
        "frame": ["absent.jpg", "--output", "out.jpg"],
        "batch": ["absent.jpg", "--plans", "--results", "results.jsonl", "--dry-run"],
        "reframe": ["absent.y4m", "--output", "out.y4m"],
    ]

    /// Options that another option requires.
    private static let companions = [
        "tolerance": ["--chroma-key", "00ff00"], "spill": ["--chroma-key", "00ff00"],
        "backdrop": ["--chroma-key", "00ff00"],
        "watermark-position": ["--watermark", "logo"], "watermark-width": ["--watermark", "logo"],
        "watermark-opacity": ["--watermark", "logo"],
        "watermark-margin": ["--watermark", "logo"], "offset": ["--gravity", "top"],
        "redact-faces": ["--redact", "blur", "--redact-areas", "0,0,1,1"], "redact-shape": ["--redact", "blur"],
        "background": ["--fit", "pad"], "redact-areas": ["--redact", "blur"], "redact-except": ["--redact", "blur"],
        "screen": ["--layout", "stack"],
    ]

    /// Options whose help describes only a part of the value, with a complete value.
    private static let frames = [
        "region": "0,0,#,0.5", "redact-areas": "0,0,#,0.5", "mask": "rounded:#",
    ]

    /// Words in help texts that are not values.
    private static let excluded = [
        "focus": ["a", "x,y,width,height"], "gravity": ["object:1AME,…", "people"], "metadata": ["artist"],
    ]

    @Test(arguments: ["frame", "batch", "reframe"])
    func `the parser accepts every value in the help`(command: String) async throws {
        let folder = try Folder()
        let help = try await Headroom.run([command, "--help"], in: folder, environment: ["COLUMNS": "1000"])
        let options = Self.options(help.lines)
        #expect(options.count > (command == "reframe" ? 15 : 35))
        var count = 0
        for (option, text) in options {
            for value in Self.values(text, of: option) {
                let error = try await Self.error(command, option, value, in: folder)
                #expect(!Self.refuses(error, option, value), "--\(option)=\(value): \(error)")
                count += 1
            }
        }
        #expect(count > (command == "reframe" ? 40 : 100), "\(options)")
    }

    @Test(arguments: [
        ("frame", "width", "auto"), ("frame", "dpr", "auto"), ("frame", "quality", "auto"), ("frame", "offset", "4,4"),
        ("frame", "mask", "rounded:5"), ("batch", "width", "auto"), ("reframe", "height", "50%"),
        ("reframe", "redact-faces", "others"),
    ])
    func `values of other interfaces are rejected and are not in the help`(
        command: String,
        option: String,
        value: String
    ) async throws {
        let folder = try Folder()
        let help = try await Headroom.run([command, "--help"], in: folder, environment: ["COLUMNS": "1000"])
        let text = try #require(Self.options(help.lines).first { $0.option == option }?.text)
        #expect(!Self.values(text, of: option).contains(value))
        let error = try await Self.error(command, option, value, in: folder)
        #expect(error.contains("--\(option)") || error.contains("\(option)=\(value) is not valid"), "\(error)")
    }

    private static func error(
        _ command: String,
        _ option: String,
        _ value: String,
        in folder: Folder
    ) async throws -> String {
        let shape = command == "reframe" && option != "aspect" ? ["--aspect", "9:16"] : []
        let arguments = [command] + (calls[command] ?? []) + shape + (companions[option] ?? [])
        return try await Headroom.run(arguments + ["--\(option)=\(value)"], in: folder).error
    }

    private static func refuses(_ error: String, _ option: String, _ value: String) -> Bool {
        error.contains("=\(value) is not valid")
            || error.split(separator: "\n").contains { $0.hasPrefix("Error: --\(option)") }
    }

    /// The options with values in the sections on crops and faces, each with its help text.
    private static func options(_ lines: [String]) -> [(option: String, text: String)] {
        var options: [(option: String, text: String)] = []
        var isRelevant = false
        for line in lines {
            if line.hasSuffix(":"), line == line.uppercased() { isRelevant = ["CROP:", "FACES:"].contains(line) }
            guard isRelevant else { continue }
            if let match = line.firstMatch(of: #/^  --([a-z-]+) <[a-z,]+> *(.*)$/#) {
                options.append((String(match.1), String(match.2)))
            } else if line.hasPrefix("  --") {
                // A flag has no values.
                options.append(("", ""))
            } else if let last = options.indices.last {
                options[last].text += " " + line.trimmingCharacters(in: .whitespaces)
            }
        }
        return options.filter { !$0.option.isEmpty }
    }

    /// The values in a help text: words before a colon, lists after a colon, and examples.
    private static func values(_ text: String, of option: String) -> [String] {
        var values: [String] = []
        // "auto: keep animations."
        values += text.matches(of: #/(?:^|[.] )([a-z0-9][a-z0-9-]*(?::[NXY,]+)?): /#).map { String($0.1) }
        // "such as 24px", "for example 50%"
        values += text.matches(of: #/(?:such as|for example|Use) ([^ ;)]+)/#).map { String($0.1) }
        // "0 to 1"
        for match in text.matches(of: #/([0-9][0-9.:]*) to ([0-9][0-9.:]*)/#) {
            values += [String(match.1), String(match.2)]
        }
        // "Alignment of the crop: faces, largest or face:N (the Nth largest face)", "(low, high; default: high)"
        for list in text.matches(of: #/(?:[A-Za-z]: |\()([a-z0-9][^.;]*)/#).map({ String($0.1) }) {
            let items = list.replacing(#/ \([^)]*\)?/#, with: "").replacing(" or ", with: ", ").components(
                separatedBy: ", "
            )
            // A phrase is not a list of values.
            guard items.count > 1 else { continue }
            values += items.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " )")) }
                .filter { !$0.contains(" ") && !$0.hasPrefix("--") }
        }
        let found = values.map { value in
            let text = value.trimmingCharacters(in: CharacterSet(charactersIn: ".,)"))
                .replacing(#/\[.*\]/#, with: "")
                .replacing("X,Y", with: "0.5,0.5").replacing(":N", with: option == "mask" ? ":0.1" : ":1")
            guard let frame = frames[option], text.wholeMatch(of: #/[0-9.]+(px)?/#) != nil else { return text }
            return frame.replacing("#", with: text == "0" ? "0.5" : text)
        }
        let excluded = excluded[option] ?? []
        return Set(found).filter { !$0.isEmpty && !excluded.contains($0) }.sorted()
    }
}
