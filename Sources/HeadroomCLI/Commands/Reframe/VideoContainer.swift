import Foundation

/// Files of videos that ffmpeg reads and `headroom reframe` does not.
enum VideoContainer {
    /// The bytes that are read to know a container.
    private static let signatureLength = 12

    /// What to do with a file that is a container: the pipe of ffmpeg that reads it and writes the result.
    ///
    /// - Parameters:
    ///   - path: The input.
    ///   - output: The result's path, if it was given; the file is not written over.
    ///   - aspect: The shape, if it was given.
    /// - Returns: Nil for other files, and if the file is not there.
    static func pipe(for path: String, output: String?, aspect: String?) -> String? {
        guard let name = name(ofFileBeginning: LocalFile.beginning(of: path, count: signatureLength)) else {
            return nil
        }
        let input = ShellWord.quoted(path.hasPrefix("-") ? "./\(path)" : path)
        let result =
            output.flatMap { $0 == "-" ? nil : $0 } ?? "\(NSString(string: path).deletingPathExtension)-reframed.mp4"
        return """
            \(path) is \(name), and reframe reads Y4M and MJPEG; with ffmpeg on both sides:
              ffmpeg -i \(input) -f yuv4mpegpipe - | headroom reframe --aspect \(ShellWord.quoted(aspect ?? "9:16")) |
                ffmpeg -i - -i \(input) -map 0:v -map '1:a?' \(ShellWord.quoted(result))
            """
    }

    /// The name of a container by the first bytes of a file; nil for other files.
    static func name(ofFileBeginning bytes: [UInt8]) -> String? {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: signature)
        }
        if begins(Array("ftyp".utf8), at: 4) { return "an MP4 or MOV file" }
        if begins([0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska or WebM file" }
        if begins(Array("RIFF".utf8)), begins(Array("AVI ".utf8), at: 8) { return "an AVI file" }
        if begins(Array("FLV".utf8)) { return "an FLV file" }
        if begins([0x00, 0x00, 0x01, 0xBA]) || begins([0x47, 0x40]) { return "an MPEG stream" }
        return nil
    }
}
