import Foundation
import Geometry
import Imaging
import TestPacing
import TestPrograms
import Testing
import Video

@Suite("headroom reframe", .limitedConcurrency)
struct ReframeTests {
    private struct Line: Decodable {
        let frame, shot, faces: Int
        let x, y, width, height: Double
        let cut: Bool
    }

    /// A video of 320×180 pixels with a face at `x` in each frame; chroma distinguishes left from right.
    private func video(
        _ places: [Int],
        header: String = "YUV4MPEG2 W320 H180 F25:1 Ip A1:1 C420jpeg Xkept=1"
    ) -> [UInt8] {
        var drawn: [Int: [UInt8]] = [:]
        var bytes = Array("\(header)\n".utf8)
        for place in places {
            let frame =
                drawn[place]
                ?? {
                    let faces = [DrawnFace(x: place, y: 50, side: 80)]
                    let luma = DrawnFace.luma(faces, size: PixelSize(width: 320, height: 180))
                    var chroma: [UInt8] = []
                    for first in [100, 120] {
                        for _ in 0..<90 { chroma += (0..<160).map { column in UInt8(first + column / 8) } }
                    }
                    return luma + chroma
                }()
            drawn[place] = frame
            bytes += Array("FRAME\n".utf8) + frame
        }
        return bytes
    }

    private func plan(_ bytes: [UInt8]) throws -> [Line] {
        try bytes.split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: Data($0)) }
    }

    private func frames(_ bytes: [UInt8]) throws -> (header: Y4MHeader, frames: [[UInt8]]) {
        var position = 0
        var reader = try Y4MReader(
            ByteReader { buffer in
                let count = min(buffer.count, bytes.count - position)
                buffer.copyBytes(from: bytes[position..<position + count])
                position += count
                return count
            }
        )
        var frames: [[UInt8]] = []
        while let frame = try reader.next() {
            var samples: [UInt8] = []
            frame.append(to: &samples)
            frames.append(samples)
        }
        return (reader.header, frames)
    }

    @Test func `the crop of a file follows a moving face, frame by frame`() async throws {
        let folder = try Folder()
        let places = (0..<40).map { 20 + $0 * 4 }
        try folder.write(video(places), to: "in.y4m")
        let run = try await Headroom.run(["reframe", "in.y4m", "--aspect", "9:16", "-o", "out.y4m"], in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        let result = try frames(try folder.read("out.y4m"))
        #expect(result.frames.count == 40)
        #expect(result.header.size == PixelSize(width: 102, height: 180))
        #expect(
            String(decoding: result.header.bytes, as: UTF8.self)
                == "YUV4MPEG2 W102 H180 F25:1 Ip A1:1 C420jpeg Xkept=1\n"
        )
        let planned = try await Headroom.run(["reframe", "in.y4m", "--aspect", "9:16", "--plan", "-"], in: folder)
        let lines = try plan(planned.output)
        #expect(lines.map(\.frame) == Array(0..<40))
        // After the last frame with detection, the face is assumed not to move.
        for (line, place) in zip(lines, places).prefix(36) {
            #expect(line.x <= Double(place) + 4 && line.x + line.width >= Double(place + 76), "frame \(line.frame)")
            #expect(line.faces == 1 && line.shot == 0 && !line.cut)
        }
    }

    @Test func `a static crop copies the source's samples`() async throws {
        let folder = try Folder()
        let input = video([Int](repeating: 200, count: 12))
        try folder.write(input, to: "in.y4m")
        let run = try await Headroom.run(["reframe", "in.y4m", "--aspect", "9:16"], in: folder)
        let source = try frames(input).frames
        let result = try frames(run.output)
        let (width, height) = (result.header.size.width, result.header.size.height)
        let matches = (0...320 - width).filter { x in
            (0..<height).allSatisfy { y in
                result.frames[3][y * width..<(y + 1) * width].elementsEqual(
                    source[3][y * 320 + x..<y * 320 + x + width]
                )
            }
        }
        #expect(matches.count == 1)
        #expect(result.frames.dropFirst().allSatisfy { $0 == result.frames[0] })
    }

    @Test func `a pipe is read once, and every frame is kept`() async throws {
        let places = (0..<60).map { $0 < 30 ? 20 : 200 }
        let run = try await Headroom.run(
            ["reframe", "--aspect", "9:16", "--width", "90", "--look-ahead", "0.5"],
            in: Folder(),
            input: video(places)
        )
        #expect(run.status == 0)
        let result = try frames(run.output)
        #expect(result.frames.count == 60)
        #expect(result.header.size == PixelSize(width: 90, height: 160))
    }

    @Test func `several aspect ratios are written in a single pass`() async throws {
        let folder = try Folder()
        try folder.write(video([Int](repeating: 100, count: 8)), to: "in.y4m")
        let arguments = ["reframe", "in.y4m", "--aspect", "9:16,1:1", "-o", "out-{aspect}.y4m"]
        #expect(try await Headroom.run(arguments, in: folder).status == 0)
        #expect(try folder.files() == ["in.y4m", "out-1x1.y4m", "out-9x16.y4m"])
        #expect(try frames(try folder.read("out-1x1.y4m")).header.size == PixelSize(width: 180, height: 180))
        #expect(try frames(try folder.read("out-9x16.y4m")).frames.count == 8)
    }

    @Test func `a plan is rendered exactly, and frames that it omits are interpolated`() async throws {
        let folder = try Folder()
        let input = video([Int](repeating: 100, count: 5))
        try folder.write(input, to: "in.y4m")
        let lines = [
            #"{"frame":0,"x":0,"y":0,"width":100,"height":180}"#, #"{"frame":4,"x":40,"y":0,"width":100,"height":180}"#,
        ]
        try folder.write(Array(lines.joined(separator: "\n").utf8), to: "plan.jsonl")
        let run = try await Headroom.run(["reframe", "in.y4m", "--plan-from", "plan.jsonl"], in: folder)
        #expect(run.status == 0, "\(run.error)")
        let result = try frames(run.output)
        #expect(result.header.size == PixelSize(width: 100, height: 180))
        let source = try frames(input).frames[0]
        for (frame, x) in [0, 10, 20, 30, 40].enumerated() {
            #expect(result.frames[frame][0..<100].elementsEqual(source[x..<x + 100]), "frame \(frame)")
        }
    }

    @Test func `ffmpeg filters contain a window for each motion`() async throws {
        let folder = try Folder()
        try folder.write(video((0..<30).map { 20 + $0 * 6 }), to: "in.y4m")
        let run = try await Headroom.run(["reframe", "in.y4m", "--aspect", "9:16", "--format", "ffmpeg"], in: folder)
        #expect(run.text.hasPrefix("sendcmd=c='0.0000 crop x "))
        #expect(run.text.hasSuffix("crop=w=102:h=180:x=0:y=0:exact=1\n"))
        #expect(run.lines.count > 5)
    }

    @Test func `a video that ends within a frame yields its complete frames and an error`() async throws {
        let folder = try Folder()
        try folder.write(Array(video([Int](repeating: 100, count: 6)).dropLast(100)), to: "in.y4m")
        for arguments in [[], ["--look-ahead", "0.2"]] {
            let run = try await Headroom.run(["reframe", "in.y4m", "--aspect", "1:1"] + arguments, in: folder)
            #expect(run.status == 1)
            #expect(run.error.contains("frame 5 is incomplete: 86300 of 86400 bytes"), "\(run.error)")
            #expect(try frames(run.output).frames.count == 5)
        }
    }

    @Test(arguments: [
        (["--aspect", "9:16"], "YUV4MPEG2 W320 H180 It", "interlaced"),
        (["--aspect", "9:16"], "YUV4MPEG2 W99999999 H99999999", "W1 to W16384"),
        (["--aspect", "9:16"], "RIFF", "YUV4MPEG2) or MJPEG"),
        ([], "YUV4MPEG2 W320 H180", "--aspect is required"),
        (["--aspect", "9:16,1:1"], "YUV4MPEG2 W320 H180", "{aspect}"),
        (["--aspect", "9:16", "--look-ahead", "11"], "YUV4MPEG2 W320 H180", "0.0 to 10.0 seconds"),
        (["--aspect", "9:16", "--fallback", "error"], "YUV4MPEG2 W320 H180", "--fallback=error"),
        (["--aspect", "9:16", "--gravity", "subject"], "YUV4MPEG2 W320 H180", "--gravity=subject is not valid"),
        (["--aspect", "9:16", "--gravity", "object:dog"], "YUV4MPEG2 W320 H180", "face:N, attention, center, an edge"),
        (["--aspect", "9:16", "--format", "gif"], "YUV4MPEG2 W320 H180", "mjpeg or ffmpeg"),
        (
            ["--aspect", "9:16", "--redact", "fill", "--plan", "-"], "YUV4MPEG2 W320 H180",
            "--redact is not allowed with --plan"
        ),
        (["--aspect", "9:16", "--redact", "fill", "--format", "ffmpeg"], "YUV4MPEG2 W320 H180", "or --format ffmpeg"),
        (["--aspect", "9:16", "--redact", "fill", "--redact-faces", "1"], "YUV4MPEG2 W320 H180", "all, or none"),
        (
            ["--aspect", "9:16", "--redact", "fill", "--redact-except", "2,0"], "YUV4MPEG2 W320 H180",
            "x and y from 0 to 1"
        ),
        (["--aspect", "9:16", "--redact-except", "0.2,0"], "YUV4MPEG2 W320 H180", "--redact-except requires --redact"),
        (
            ["--aspect", "9:16", "--redact-areas", "0,0,1,1"], "YUV4MPEG2 W320 H180",
            "--redact-areas requires --redact."
        ),
    ])
    func `an invalid value is rejected with the expected values`(
        arguments: [String],
        header: String,
        expected: String
    )
        async throws
    {
        let run = try await Headroom.run(["reframe"] + arguments, in: Folder(), input: Array("\(header)\n".utf8))
        #expect([1, 64].contains(run.status))
        #expect(run.error.contains(expected), "\(run.error)")
    }

    @Test(arguments: [[], ["--look-ahead", "0"], ["--look-ahead", "0.4", "--redact-shape", "oval"]])
    func `a moving face is redacted in every frame, and no face is found afterwards`(more: [String]) async throws {
        let folder = try Folder()
        let places = (0..<40).map { 20 + $0 * 4 }
        let input = video(places)
        try folder.write(input, to: "in.y4m")
        let arguments = ["reframe", "in.y4m", "--aspect", "16:9", "--redact", "fill", "-o", "out.y4m"]
        let run = try await Headroom.run(arguments + more, in: folder)
        #expect(run.status == 0 && run.error == "", "\(run.error)")
        let result = try frames(try folder.read("out.y4m"))
        #expect(result.frames.count == 40 && result.header.size == PixelSize(width: 320, height: 180))
        for (frame, place) in zip(result.frames, places) {
            let rows = stride(from: 50, to: 130, by: 4)
            let columns = stride(from: place, to: place + 80, by: 4)
            #expect(rows.allSatisfy { y in columns.allSatisfy { frame[y * 320 + $0] == 128 } }, "face at \(place)")
        }
        for detector in ["hog", "yunet"] {
            let planned = try await Headroom.run(
                ["reframe", "out.y4m", "--aspect", "1:1", "--detector", detector, "--plan", "-"],
                in: folder
            )
            #expect(try plan(planned.output).allSatisfy { $0.faces == 0 }, "\(detector)")
        }
    }

    @Test func `areas are redacted without faces and with a plan, and a plan can be rendered with redaction`()
        async throws
    {
        let folder = try Folder()
        let input = video([Int](repeating: 100, count: 5))
        try folder.write(input, to: "in.y4m")
        let line = #"{"frame":0,"x":0,"y":0,"width":320,"height":180}"#
        try folder.write(Array(line.utf8), to: "plan.jsonl")
        let planned = ["reframe", "in.y4m", "--plan-from", "plan.jsonl", "--redact", "fill"]
        let areas = ["--redact-faces", "none", "--redact-areas", "0,0,0.25,32px"]
        let source = try frames(input).frames[0]
        let run = try await Headroom.run(planned + areas, in: folder)
        #expect(run.status == 0, "\(run.error)")
        for frame in try frames(run.output).frames {
            #expect((0..<32).allSatisfy { y in (0..<80).allSatisfy { frame[y * 320 + $0] == 128 } })
            #expect(frame[100 * 320..<101 * 320].elementsEqual(source[100 * 320..<101 * 320]))
        }
        let heads = try await Headroom.run(planned, in: folder)
        #expect(try frames(heads.output).frames.allSatisfy { $0[90 * 320 + 140] == 128 })
        let piped = try await Headroom.run(
            ["reframe", "--plan-from", "plan.jsonl", "--redact", "fill"],
            in: folder,
            input: Array("YUV4MPEG2 W320 H180 F25:1\n".utf8)
        )
        #expect(piped.status == 1 && piped.error.contains("expected a file"), "\(piped.error)")
    }

    @Test func `a video without frames yields a video without frames`() async throws {
        let run = try await Headroom.run(
            ["reframe", "--aspect", "1:1"],
            in: Folder(),
            input: Array("YUV4MPEG2 W320 H180 F25:1\n".utf8)
        )
        #expect(run.status == 0)
        #expect(String(decoding: run.output, as: UTF8.self) == "YUV4MPEG2 W180 H180 F25:1\n")
    }

    // MARK: Files for ffmpeg

    /// Scripts that replace ffmpeg and ffprobe, for tests that need no decoding; `make check-reframe` uses the real
    /// programs.
    ///
    /// The probe reports three frames at irregular times, and the decoder writes `in.y4m`.
    private func programs(
        in folder: Folder,
        encoder: String = "cat > raw.mkv",
        decoder: String = "cat in.y4m"
    ) throws -> [String: String] {
        let stream =
            #"{"streams":[{"index":1,"codec_type":"audio","codec_name":"aac"},{"index":0,"codec_type":"video","#
            + #""avg_frame_rate":"25/1","color_space":"bt709"}],"format":{"start_time":"0.0"}}"#
        let times = #"0.1,0.1,0.04,K__\n0.14,0.14,0.08,___\n0.22,0.22,5,___\n0.18,0.18,0.04,_D_\n"#
        let probe = """
            #!/bin/sh
            case "$*" in *show_streams*) echo '\(stream)' ;; *) printf '\(times)' ;; esac
            """
        let ffmpeg = """
            #!/bin/sh
            case "$*" in
            *yuv4mpegpipe*) \(decoder) ;;
            *) for last; do :; done; echo "$*" > arguments; touch "${last#file:}"; \(encoder) ;;
            esac
            """
        for (name, text) in [("ffprobe", probe), ("ffmpeg", ffmpeg)] {
            try folder.write(Array(text.utf8), to: name)
            try #require(chmod(folder.url.appending(path: name).path, 0o755) == 0)
        }
        try folder.write(video([40, 40, 40]), to: "in.y4m")
        try folder.write([0, 0, 0, 8] + Array("ftyp".utf8), to: "talk.mp4")
        return ["PATH": "\(folder.url.path):/usr/bin:/bin"]
    }

    @Test func `ffmpeg decodes and encodes a video file, with the original frame times`() async throws {
        let folder = try Folder()
        let environment = try programs(in: folder)
        let arguments = ["reframe", "talk.mp4", "--aspect", "1:1", "--output", "out.mp4"]
        let run = try await Headroom.run(arguments, in: folder, environment: environment)
        #expect(run.error == "" && run.status == 0)
        let raw = try folder.read("raw.mkv")
        // Each frame has 180×180 pixels and its own cluster. In units of 10 microseconds, the clusters' times are 0, 40
        // and 120 ms.
        let clusters = raw.indices.filter { raw[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) }
        let times = clusters.map { cluster in
            let count = Int(raw[cluster + 12 + 8])
            return raw[(cluster + 21)..<(cluster + 21 + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(times == [0, 4000, 12_000])
        #expect(raw.count - (clusters.last ?? 0) > 180 * 180 * 3 / 2)
        let options = String(decoding: try folder.read("arguments"), as: UTF8.self)
        for part in [
            "-itsoffset 0.100000", "-c:a copy", "-colorspace bt709", "-protocol_whitelist pipe",
            "-f mov -format_whitelist mov -protocol_whitelist file -enable_drefs 0 -use_absolute_path 0 -i file:talk.mp4",
            "setts=pts=PTS:dts=DTS:duration='if(gt(PTS*TB,0.180000)+eq(N,2),5.000000/TB,DURATION)'",
        ] {
            #expect(options.contains(part), "\(part) in \(options)")
        }
        #expect(try folder.files().contains("out.mp4"))
    }

    @Test(arguments: [
        ("echo 'No space left' >&2; cat > /dev/null; exit 1", "out.mp4: ffmpeg ended with status 1: No space left"),
        ("kill -9 $$", "out.mp4: ffmpeg was ended by signal 9"),
        ("head -c 9 > /dev/null; echo 'Not Matroska' >&2; exit 1", "out.mp4: ffmpeg ended with status 1: Not Matroska"),
        // The encoder's own child process keeps standard error open.
        ("sleep 60 < /dev/null & cat > /dev/null; exit 1", "out.mp4: ffmpeg ended with status 1"),
    ])
    func `a failing encoder is an error, and no output file is left`(encoder: String, message: String) async throws {
        let folder = try Folder()
        let environment = try programs(in: folder, encoder: encoder)
        let arguments = ["reframe", "talk.mp4", "--aspect", "1:1", "--output", "out.mp4"]
        let run = try await Headroom.run(arguments, in: folder, environment: environment)
        #expect(run.status == 1 && run.error.contains(message), "\(run.error)")
        let names = try folder.files()
        #expect(!names.contains("out.mp4") && !names.contains { $0.hasSuffix(".part") })
    }

    /// Decoders that fail, or whose frames are rejected while they are still writing.
    @Test(
        arguments: [
            ("printf 'YUV4MPEG2 W320 H180 F2000:1\\n'; yes", "F2000:1"),
            ("printf 'YUV4MPEG2 W0 H180\\n'; yes", "W0"), ("yes", "expected YUV4MPEG2"),
            ("yes | tr -d '\\n'", "header"),
            ("cat in.y4m; yes", "frame 3"), ("head -c 100000 in.y4m; yes", "is not valid; expected FRAME"),
            ("head -c 100000 in.y4m", "is incomplete"), ("true", "header"),
            ("head -c 100000 in.y4m; echo 'No mdhd' >&2; exit 1", "talk.mp4: ffmpeg ended with status 1: No mdhd"),
            ("echo 'No mdhd' >&2; exit 1", "talk.mp4: ffmpeg ended with status 1: No mdhd"),
            ("cat in.y4m; echo 'No end' >&2; exit 1", "talk.mp4: ffmpeg ended with status 1: No end"),
            ("cat in.y4m; kill -9 $$", "talk.mp4: ffmpeg was ended by signal 9"),
        ]
    )
    func `a rejected decoder is stopped without waiting`(decoder: String, message: String) async throws {
        for options in [["--output", "out.mp4"], ["--plan", "-"], ["--look-ahead", "0.5", "--output", "out.mp4"]] {
            let folder = try Folder()
            let environment = try programs(in: folder, decoder: decoder)
            let arguments = ["reframe", "talk.mp4", "--aspect", "1:1"] + options
            let run = try await Headroom.run(arguments, in: folder, environment: environment)
            #expect(run.status == 1 && run.error.contains(message), "\(options): \(run.error)")
        }
    }

    @Test func `without ffmpeg the error names it, and a video file requires --output`() async throws {
        let folder = try Folder()
        let environment = try programs(in: folder)
        let arguments = ["reframe", "talk.mp4", "--aspect", "1:1"]
        let missing = try await Headroom.run(
            arguments,
            in: folder,
            environment: ["PATH": folder.url.appending(path: "none").path]
        )
        #expect(missing.status == 1 && missing.error.contains("install ffmpeg"), "\(missing.error)")
        let nowhere = try await Headroom.run(arguments, in: folder, environment: environment)
        #expect(nowhere.status == 64 && nowhere.error.contains("--output"), "\(nowhere.error)")
        let planned = try await Headroom.run(arguments + ["--plan", "-"], in: folder, environment: environment)
        #expect(try planned.status == 0 && plan(planned.output).count == 3, "\(planned.error)")
    }
}
