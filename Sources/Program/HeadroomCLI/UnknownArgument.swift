import ArgumentParser
import Requests

/// Advice on commands and options that do not exist.
package enum UnknownArgument {
    /// Returns the text after `headroom` that a word for a command means, such as `frame` for `crop`; nil without a
    /// similar command.
    static func command(similarTo word: String, among commands: [String]) -> String? {
        let known = commands + ["--version"]
        return synonym(of: word, in: commandRows).first { known.contains($0) }
            ?? SpellingSuggestion.nearest(to: word, among: commands)
    }

    /// Returns the message about invalid arguments, with this program's advice on an unknown option.
    ///
    /// - Parameters:
    ///   - message: The message of the argument parser, such as `Error: Unknown option '--size'`, and the usage.
    ///   - command: The command; nil for the program itself.
    /// - Returns: The message.
    static func message(_ message: String, of command: (any ParsableCommand.Type)?) -> String {
        let start = "Error: Unknown option '"
        guard let command, message.hasPrefix(start) else { return message }
        let name = String(message.dropFirst(start.count).prefix { $0 != "'" })
        guard name.utf8.count <= maxBytes else { return message }
        let usage = message.drop { $0 != "\n" }
        return "Error: Unknown option \(name)\(advice(on: name, of: command).map { ". \($0)" } ?? "")\(usage)"
    }

    /// All options of all commands, for tests.
    package static var allOptions: Set<String> {
        Set(RootCommand.configuration.subcommands.flatMap(options))
    }

    /// All commands, for tests.
    package static var allCommands: [String] { RootCommand.configuration.subcommands.map(name) }

    /// The words that the tables translate, with what they mean, for tests.
    package static let synonyms: [(word: String, meanings: [String])] =
        (commandRows + optionRows).flatMap { row in words(row).map { (word: $0, meanings: row.meanings) } }

    private static let maxBytes = 64

    private static func advice(on name: String, of command: any ParsableCommand.Type) -> String? {
        let own = options(of: command)
        let word = String(name.drop { $0 == "-" })
        let similar = synonym(of: word, in: optionRows).filter { own.contains($0) }
        if !similar.isEmpty { return question(similar) }
        let foreign = ForeignNames.parameters(for: word)
            .map { (option: Parameter.optionName($0.name), value: $0.value) }
            .filter { own.contains($0.option) }
        if !foreign.isEmpty { return question(foreign.map { "\($0.option)\($0.value.map { " \($0)" } ?? "")" }) }
        let others = RootCommand.configuration.subcommands.filter { options(of: $0).contains(name) }
        if !others.isEmpty {
            return "\(name) is an option of \(others.map { "headroom \(Self.name(of: $0))" }.joined(separator: ", "))."
        }
        let long = own.filter { $0.utf8.count > 2 }
        let nearest = SpellingSuggestion.nearest(to: word, among: long.map { String($0.dropFirst(2)) })
        return nearest.map { question(["--\($0)"]) }
    }

    private static func question(_ options: [String]) -> String { "Did you mean \(options.joined(separator: " or "))?" }

    private static func name(of command: any ParsableCommand.Type) -> String { command.configuration.commandName ?? "" }

    /// The options in the help of a command, such as `-o` and `--output`.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        RootCommand.helpMessage(for: command).split(separator: "\n")
            .filter { $0.hasPrefix("  -") }
            .flatMap { line -> [Substring] in Array(line.split(separator: " ").prefix { $0.hasPrefix("-") }) }
            .flatMap { word -> [Substring] in word.split { $0 == "," || $0 == "/" } }
            .map(String.init)
    }

    // MARK: Synonyms

    private typealias Row = (meanings: [String], words: String)

    private static func words(_ row: Row) -> [String] { row.words.split(separator: " ").map(String.init) }

    private static func synonym(of word: String, in rows: [Row]) -> [String] {
        rows.first { words($0).contains(word.lowercased()) }?.meanings ?? []
    }

    private static let commandRows: [Row] = [
        (
            ["frame"],
            "crop resize thumbnail thumb thumbnailer convert smartcrop process image magick mogrify vipsthumbnail cut scale"
        ),
        (["serve"], "server run start http daemon service listen web up thumbor imgproxy imagor"),
        (["faces"], "detect face facedetect find"),
        (["batch"], "bulk"),
        (["reframe"], "video ffmpeg clip movie"),
        (["health"], "healthcheck ping status live ready"),
        (["doctor"], "diagnose debug test selftest"),
        (["config"], "settings env conf configuration"),
        (["sign"], "signature url thumbor-url"),
        (["--version"], "version ver"),
    ]

    /// The options of thumbor, imgproxy, imagor, vips, ImageMagick, ffmpeg and web servers that are not names of
    /// parameters in ``ForeignNames``.
    private static let optionRows: [Row] = [
        (["--output"], "out output-file outfile output-dir outdir dest destination target save write result"),
        (["--workers"], "threads thread concurrency jobs j t processes parallel num-threads vips-concurrency cpus"),
        (["--host", "--port"], "listen bind b listen-address server-address imagor-address addr l"),
        (["--host"], "ip interface server-host hostname"),
        (["--port"], "p http-port server-port"),
        (["--unix-socket"], "socket unix fd"),
        (["--path-prefix"], "prefix base-path server-path-prefix root-path"),
        (["--config"], "conf c config-file settings"),
        (["--signing-keys-file"], "key keys secret secrets salt security-key imagor-secret signing-key signing-keys"),
        (["--bearer-secrets-file"], "token bearer bearer-secret auth imgproxy-secret"),
        (["--allow-hosts"], "allowed-sources allowed-hosts allowed-domains http-loader-allowed-sources"),
        (["--cors-origins"], "cors allow-origin cors-origin"),
        (["--local-root"], "local-filesystem-root file-loader-base-dir loader-root root mount folder"),
        (["--fetch-timeout"], "download-timeout http-loader-timeout"),
        (["--job-timeout"], "timeout request-timeout imagor-process-timeout"),
        (["--max-pixels"], "max-src-resolution max-resolution vips-max-resolution"),
        (["--max-source-bytes"], "max-src-file-size max-source-size"),
        (["--max-connections"], "max-clients connections"),
        (["--log-level"], "log loglevel verbose v quiet q debug"),
        (["--metrics-address"], "metrics prometheus prometheus-bind prometheus-addr"),
        (["--cache-results"], "cache result-cache cache-size"),
        (["--json"], "plan info print dry-run"),
        (["--format"], "f fmt c:v codec vcodec"),
        (["--fps"], "r rate framerate frame-rate"),
    ]
}
