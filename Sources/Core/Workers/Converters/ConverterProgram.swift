import Glibc

/// The program of a converter, with all files that the kernel executes to start it.
package struct ConverterProgram: Hashable, Sendable {
    /// The reason why a program cannot be used, as the end of a sentence.
    package struct Failure: Error, Hashable, Sendable {
        package let reason: String
    }

    /// The folders that are searched for a name without a slash.
    package static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

    /// The maximum number of interpreters.
    ///
    /// A script has one, which can itself have an interpreter.
    private static let maxInterpreters = 4
    /// The number of bytes at the start of a program that are searched for its interpreter.
    private static let examinedBytes = 4096

    /// The name as written in the configuration, which becomes the program's first argument.
    package let name: String
    /// The absolute path, without symbolic links.
    package let path: String
    /// The files that can be executed: the program and its interpreters.
    package let executables: [String]

    /// Finds a program.
    ///
    /// - Parameters:
    ///   - name: An absolute path, or a name that is searched for in ``folders``.
    ///   - folders: The folders that are searched for names.
    /// - Throws: A ``Failure`` if the program does not exist or cannot be executed.
    package init(_ name: String, in folders: [String] = Self.folders) throws(Failure) {
        guard !name.isEmpty, !name.utf8.contains(0) else { throw Failure(reason: "the name of a program is empty") }
        self.name = name
        path = try Self.found(name, folders)
        var executables = [path]
        var next: [String]? = try Self.interpreters(of: path, folders)
        for _ in 0..<Self.maxInterpreters {
            guard let paths = next, !paths.isEmpty else { break }
            executables += paths.filter { !executables.contains($0) }
            next = nil
            for path in paths { next = (next ?? []) + (try Self.interpreters(of: path, folders)) }
        }
        self.executables = executables
    }

    /// Returns the resolved path of a program.
    private static func found(_ name: String, _ folders: [String]) throws(Failure) -> String {
        let candidates: [String]
        if name.hasPrefix("/") {
            candidates = [name]
        } else if name.contains("/") {
            throw Failure(reason: "\(name) is a relative path: expected an absolute path, or a name")
        } else {
            candidates = folders.map { "\($0)/\(name)" }
        }
        var isFound = false
        for candidate in candidates {
            guard let resolved = realpath(candidate, nil) else { continue }
            defer { free(resolved) }
            var status = stat()
            guard stat(resolved, &status) == 0 else { continue }
            isFound = true
            if status.st_mode & S_IFMT == S_IFREG, access(resolved, X_OK) == 0 { return String(cString: resolved) }
        }
        let places = name.hasPrefix("/") ? "" : " in \(folders.joined(separator: ", "))"
        throw Failure(reason: isFound ? "\(name) is not a program" : "\(name) does not exist\(places)")
    }

    /// Returns the programs that the kernel starts to run a file: the dynamic linker of a program, or the interpreter
    /// in the first line of a script.
    private static func interpreters(of path: String, _ folders: [String]) throws(Failure) -> [String] {
        let bytes = start(of: path)
        if bytes.starts(with: "#!".utf8) {
            let line = String(decoding: bytes.dropFirst(2).prefix { $0 != 0x0A }, as: UTF8.self)
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first else { throw Failure(reason: "\(path) names no interpreter") }
            let interpreter = try found(first, folders)
            guard interpreter.hasSuffix("/env"), let name = words.dropFirst().first(where: { !$0.hasPrefix("-") })
            else {
                return [interpreter]
            }
            return [interpreter, try found(name, folders)]
        }
        return try dynamicLinker(bytes).map { (name) throws(Failure) in [try found(name, folders)] } ?? []
    }

    private static func start(of path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: examinedBytes)
        let count = read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Returns the dynamic linker from the program headers of a 64-bit ELF file; nil without one.
    private static func dynamicLinker(_ bytes: [UInt8]) -> String? {
        /// Returns a little-endian number.
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), let start = number(32, 4), let size = number(54, 2),
            let count = number(56, 2)
        else { return nil }
        for index in 0..<min(count, 64) {
            let header = start + index * size
            guard number(header, 4) == 3, let place = number(header + 8, 4), let length = number(header + 32, 4) else {
                continue
            }
            return String(decoding: bytes.dropFirst(place).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
        }
        return nil
    }
}
