import Foundation
import Subprocess
import TestPacing
import TestPrograms
import Testing

/// The installed ffmpeg, at Debian's path.
private enum FFmpeg {
    static let place = "/usr/bin/ffmpeg"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: place)
}

/// Video files with the installed ffmpeg; skipped if it is not installed.
@Suite("headroom reframe with ffmpeg", .limitedConcurrency, .enabled(if: FFmpeg.isInstalled))
struct ReframeFileTests {
    @discardableResult
    private func ffmpeg(
        _ arguments: String,
        in folder: Folder,
        program: String = FFmpeg.place
    ) async throws -> ProgramRun {
        let words = ["-c", "exec \(program) -v error \(program == FFmpeg.place ? "-nostdin -y" : "") \(arguments)"]
        let run = try await Configuration.program("/bin/sh", words, in: folder.url).run()
        try #require(run.status == 0, "\(arguments): \(run.error)")
        return run
    }

    private func probe(_ arguments: String, in folder: Folder) async throws -> String {
        try await ffmpeg(arguments, in: folder, program: "/usr/bin/ffprobe").text
    }

    private static let drawn = "-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 -f lavfi -i sine=duration=2"
    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"

    // MARK: Detection of the file type

    @Test(arguments: [
        "ffconcat version 1.0\nfile 'other.mp4'\n", "ffconcat version 1.0\nfile '@/other.mp4'\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:2,\nother.ts\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:2,\nfile://@/other.ts\n#EXT-X-ENDLIST\n",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><AdaptationSet>"
            + "<Representation id=\"1\" bandwidth=\"1\" mimeType=\"video/mp4\"><BaseURL>other.mp4</BaseURL></Representation>"
            + "</AdaptationSet></Period></MPD>",
        "[Reference]\nRef1=other.mp4\n", "concat:other.mp4", "",
    ])
    func `a playlist of other files is not a video, regardless of its name`(text: String) async throws {
        let folder = try Folder()
        try await ffmpeg("\(Self.drawn) \(Self.h264) -c:a aac other.mp4", in: folder)
        try await ffmpeg("-i other.mp4 -c copy other.ts", in: folder)
        try folder.write(Array(text.replacing("@", with: folder.url.path).utf8), to: "x.mp4")
        for name in ["x.mp4", "x.mov", "x.mkv", "x.ts", "x.m3u8", "concat:x.mp4"] {
            if name != "x.mp4" { try folder.write(try folder.read("x.mp4"), to: name) }
            let run = try await Headroom.run(["reframe", name, "--aspect", "1:1", "--output", "out.mp4"], in: folder)
            #expect(run.status == 1 && run.error.contains("expected"), "\(name): \(run.error)")
        }
        #expect(try !folder.files().contains("out.mp4"))
    }

    @Test(arguments: [
        ("mp4", "mp4", h264), ("mov", "mov", h264), ("mkv", "matroska", h264), ("avi", "avi", "-c:v mpeg4"),
        ("webm", "webm", "-c:v libvpx -deadline realtime"), ("flv", "flv", h264), ("gif", "gif", ""),
        ("ts", "mpegts", h264), ("m2ts", "mpegts -mpegts_m2ts_mode 1", h264), ("mpg", "mpeg", "-c:v mpeg2video"),
        ("m2v", "mpeg2video", "-c:v mpeg2video"), ("wmv", "asf", "-c:v wmv2"),
        ("mp4", "mp4 -movflags frag_keyframe", h264),
    ])
    func `a single video file is read under any name`(suffix: String, format: String, codec: String) async throws {
        let folder = try Folder()
        try await ffmpeg("\(Self.drawn) -map 0:v \(codec) -f \(format) in.\(suffix)", in: folder)
        for name in ["in.\(suffix)", "-pic%03d.txt", "concat:a|b"] {
            if name != "in.\(suffix)" { try folder.write(try folder.read("in.\(suffix)"), to: name) }
            let arguments = ["reframe", "--aspect", "1:1", "--output", "out.mp4", "--", name]
            let run = try await Headroom.run(arguments, in: folder)
            #expect(run.status == 0, "\(name): \(run.error)")
            let count = try await probe(
                "-count_packets -show_entries stream=nb_read_packets -of csv=p=0 out.mp4",
                in: folder
            )
            let frames = try #require(Int(count.filter(\.isNumber)))
            #expect((49...51).contains(frames), "\(name): \(frames)")
        }
    }

    @Test func `video names need not be UTF-8`() async throws {
        let folder = try Folder()
        try await ffmpeg("\(Self.drawn) \(Self.h264) in.mp4", in: folder)
        let script =
            #"N=$(printf '\351\377'); mv in.mp4 "$N.mp4"; $0 reframe "$N.mp4" --aspect 1:1 --output "o$N.mp4" && test -s "o$N.mp4""#
        let run = try await Configuration.program(
            "/bin/sh",
            ["-c", script, try Headroom.executable().path],
            in: folder.url
        ).run()
        #expect(run.status == 0, "\(run.error)")
    }

    // MARK: Content of a redacted video

    @Test(arguments: ["mp4", "mov", "mkv"])
    func `a redacted video keeps only sound and copyright from its source`(suffix: String) async throws {
        let folder = try Folder()
        try folder.write(Array("1\n00:00:00,100 --> 00:00:01,000\nSECRET words\n".utf8), to: "words.srt")
        let chapters = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=900\ntitle=SECRET chapter\n"
        try folder.write(Array(chapters.utf8), to: "chapters.txt")
        let tags = [
            "title", "comment", "artist", "location", "description", "creation_time=2020-01-01T00:00:00 -metadata x",
        ]
        .map { "-metadata \($0)=SECRET+48.2+16.3/" }.joined(separator: " ")
        let streams =
            "-metadata:s:v handler_name=SECRETv -metadata:s:a handler_name=SECRETa -metadata:s:a title=SECRETa"
        let subtitles = suffix == "mkv" ? "srt" : "mov_text"
        try await ffmpeg(
            "\(Self.drawn) -i words.srt -i chapters.txt -map 0:v -map 1:a -map 2:s -map_metadata 3 -map_chapters 3 "
                + "\(tags) \(streams) -metadata copyright='(c) 2026 Somebody' -metadata:s:v timecode=01:02:03:04 "
                + "\(Self.h264) -c:a aac -c:s \(subtitles) in.\(suffix)",
            in: folder
        )
        #expect(String(decoding: try folder.read("in.\(suffix)"), as: UTF8.self).contains("SECRET"))
        for result in ["out.mp4", "out.mkv", "out.mov"] {
            let arguments = ["reframe", "in.\(suffix)", "--aspect", "1:1", "--redact", "fill", "--output", result]
            let run = try await Headroom.run(arguments, in: folder)
            #expect(run.status == 0, "\(run.error)")
            let bytes = String(decoding: try folder.read(result), as: UTF8.self)
            #expect(!bytes.contains("SECRET") && !bytes.contains("48.2"))
            let shown = try await probe("-show_streams -show_format -show_chapters -of json \(result)", in: folder)
            #expect(shown.contains("(c) 2026 Somebody") && !shown.contains("2020-01-01") && !shown.contains("01:02:03"))
            let kinds = try await probe("-show_entries stream=codec_type -of csv=p=0 \(result)", in: folder)
            #expect(kinds.split(separator: "\n").map(String.init) == ["video", "audio"], "\(kinds)")
        }
    }

    // MARK: Times

    private func duration(_ name: String, in folder: Folder) async throws -> Double {
        let text = try await probe("-show_entries format=duration -of csv=p=0 \(name)", in: folder)
        return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func times(_ name: String, in folder: Folder) async throws -> [Double] {
        let wanted = "-select_streams v -show_entries frame=pts_time -of csv=p=0 \(name)"
        return try await probe(wanted, in: folder).split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap {
            Double($0)
        }
    }

    @Test(arguments: ["mp4", "mov", "mkv"], ["out.mp4", "out.mov", "out.mkv", "out.webm"])
    func `the last frame has the same duration as in the source`(suffix: String, result: String) async throws {
        let folder = try Folder()
        try await ffmpeg("-f lavfi -i testsrc2=size=160x90:rate=25:duration=2 \(Self.h264) plain.mp4", in: folder)
        // Each frame lasts 40 ms, and the last frame lasts 6 seconds.
        try await ffmpeg(
            "-i plain.mp4 -c copy -bsf:v \"setts=duration='if(eq(N,49),6/TB,DURATION)'\" in.mp4",
            in: folder
        )
        if suffix != "mp4" { try await ffmpeg("-i in.mp4 -c copy in.\(suffix)", in: folder) }
        let name = "in.\(suffix)"
        let before = try await duration(name, in: folder)
        let run = try await Headroom.run(["reframe", name, "--aspect", "1:1", "--output", result], in: folder)
        #expect(run.status == 0, "\(run.error)")
        let after = try await duration(result, in: folder)
        #expect(before > 7.5 && abs(after - before) < 0.05, "\(before) s became \(after) s")
        #expect(try await times(result, in: folder).count == 50)
    }

    @Test func `edit lists and frames of different durations keep their times`() async throws {
        let folder = try Folder()
        let uneven = "-vf \"select='not(mod(n,3))+gt(n,30)'\" -fps_mode vfr"
        try await ffmpeg("\(Self.drawn) \(uneven) -c:v libx264 -pix_fmt yuv420p -c:a aac whole.mp4", in: folder)
        // An edit list that cuts off the beginning: a copy that starts between two key frames.
        try await ffmpeg("-ss 0.5 -i whole.mp4 -c copy cut.mp4", in: folder)
        // An edit list that delays the images by a third of a second.
        try await ffmpeg("-i whole.mp4 -itsoffset 0.333 -i whole.mp4 -map 1:v -map 0:a -c copy late.mp4", in: folder)
        for name in ["whole.mp4", "cut.mp4", "late.mp4"] {
            let run = try await Headroom.run(["reframe", name, "--aspect", "1:1", "--output", "out.mp4"], in: folder)
            #expect(run.status == 0, "\(run.error)")
            let (before, after) = (try await times(name, in: folder), try await times("out.mp4", in: folder))
            let worst = zip(before, after).map { abs($0 - $1) }.max() ?? 9
            #expect(before.count == after.count && worst < 0.002, "\(name): \(before.count), \(after.count), \(worst)")
            let change = try await duration("out.mp4", in: folder) - duration(name, in: folder)
            #expect(abs(change) < 0.05, "\(name): \(change)")
        }
    }
}
