import Batch
import Testing

@Suite struct ListInputTests {
    @Test(arguments: [
        ("", []),
        ("a.jpg\n", ["a<a.jpg"]),
        ("a.jpg", ["a<a.jpg"]),
        ("\u{FEFF}a.jpg\r\n\r\n  \nb/c.d.png\n", ["a<a.jpg", "b/c.d<b/c.d.png"]),
        ("/abs/./x.jpg\n../up.jpg\n", ["abs/x</abs/./x.jpg", "up<../up.jpg"]),
        ("https://h.example/p/a.jpg\n", ["h.example/p/a<https://h.example/p/a.jpg"]),
        ("HTTP://h/a.jpg\ns3://bucket/k.jpg\n", ["h/a<HTTP://h/a.jpg", "bucket/k<s3://bucket/k.jpg"]),
        ("a\u{0}b.jpg\nc.jpg\n", ["!invalid-row@1", "c<c.jpg"]),
    ])
    func `a list contains one path or URL per line`(text: String, rows: [String]) throws {
        #expect(try Rows.of(text, named: "list.txt") == rows)
    }

    @Test func `URLs with a query have distinct keys that are valid paths`() throws {
        let text = "https://h/a.jpg?x=1\nhttps://h/a.jpg?x=2\nhttps://h/../../etc/a\nhttps://h/\nhttps://[::1]:80//\n"
        let folder = try Folder()
        var inputs = BatchInputs([try folder.write(text, to: "l.txt")])
        var keys: [String] = []
        while let row = try inputs.next() { keys.append(try row.job.get().key) }
        #expect(Set(keys).count == 5)
        #expect(keys.allSatisfy { RelativePath.problem($0) == nil })
    }

    @Test(arguments: [
        (#"{"file": "a.jpg"}"#, ["a<a.jpg"]),
        (#"{"url": "https://h/a.jpg", "key": "k", "aspect": "1:1"}"#, ["k<https://h/a.jpg{aspect=1:1}"]),
        (#"{"file": "a.jpg", "width": 4e2, "lossless": true, "zoom": null}"#, ["a<a.jpg{width=400,lossless=true}"]),
        (#"{"file": "s.tar", "offset": 512, "bytes": 10, "key": "k"}"#, ["k<s.tar:512"]),
        (#"{"file": "a.jpg", "error": "why", "row": "x:1"}"#, ["a<a.jpg"]),
        (#"{"file": "a.jpg", "surprise": "x"}"#, ["a<a.jpg{surprise=x}"]),
        (#"{"file": null}"#, ["!invalid-row@1"]),
        (#"{"url": ""}"#, ["!invalid-row@1"]),
        (#"{}"#, ["!invalid-row@1"]),
        (#"{"file": "a.jpg", "url": "https://h/a"}"#, ["!invalid-row@1"]),
        (#"{"file": "a.jpg", "file": "b.jpg"}"#, ["!invalid-row@1"]),
        (#"{"file": "a.jpg", "offset": -1, "bytes": 1}"#, ["!invalid-row@1"]),
        (#"{"file": "a.jpg", "offset": 1}"#, ["!invalid-row@1"]),
        (#"{"url": "https://h/a", "offset": 1, "bytes": 1}"#, ["!invalid-row@1"]),
        (#"{"file": "a\u0000.jpg"}"#, ["!invalid-row@1"]),
        (#"{"file": {"a": 1}}"#, ["!invalid-row@1"]),
        (#"{"file": ["a.jpg"]}"#, ["!invalid-row@1"]),
        (#"{"file": "a.jpg""#, ["!invalid-row@1"]),
        (#"["a.jpg"]"#, ["!invalid-row@1"]),
        ("null", ["!invalid-row@1"]),
        ("\n\n{\"file\":\"a.jpg\"}\n!\n{\"file\":\"b.jpg\"}", ["a<a.jpg", "!invalid-row@4", "b<b.jpg"]),
    ])
    func `JSON Lines contain one object per line`(text: String, rows: [String]) throws {
        #expect(try Rows.of(text, named: "jobs.jsonl") == rows)
        #expect(try Rows.of(text, named: "jobs.ndjson") == rows)
    }

    @Test func `a line that is too long is a single error`() throws {
        let long = String(repeating: "x", count: 3 << 20)
        #expect(try Rows.of("a.jpg\n\(long)\nb.jpg\n", named: "l.txt") == ["a<a.jpg", "!invalid-row@2", "b<b.jpg"])
        let rows = try Rows.of("{\"file\":\"\(long)\"}\n{\"file\":\"b.jpg\"}\n", named: "l.jsonl")
        #expect(rows == ["!invalid-row@1", "b<b.jpg"])
        let path = String(repeating: "y", count: 9000)
        #expect(try Rows.of("{\"file\":\"\(path)\"}\n", named: "l.jsonl") == ["!invalid-row@1"])
    }

    @Test(arguments: [
        ("file\na.jpg\n", ["a<a.jpg"]),
        ("key,url,aspect\r\nk,https://h/a.jpg,16:9\r\n", ["k<https://h/a.jpg{aspect=16:9}"]),
        ("file,key\n\"a,b.jpg\",\"say \"\"hi\"\"\"\n", ["say \"hi\"<a,b.jpg"]),
        ("file,key\n\"a\nb.jpg\",k\nc.jpg,\n", ["k<a\nb.jpg", "c<c.jpg"]),
        ("file,key\n\"a\r\nb.jpg\",k\r\n", ["k<a\r\nb.jpg"]),
        ("file,width\na.jpg,\nb.jpg,9", ["a<a.jpg", "b<b.jpg{width=9}"]),
        ("file,width\na.jpg\nb.jpg,1,2\nc.jpg,1\n", ["!invalid-row@2", "!invalid-row@3", "c<c.jpg{width=1}"]),
        ("file\na\"b.jpg\n\"c\"d\n\"e\"\nf.jpg\n", ["!invalid-row@2", "!invalid-row@3", "e<e", "f<f.jpg"]),
        ("file\n\"never closed\nb.jpg\n", ["!invalid-row@2"]),
        ("\u{FEFF}file\n\na.jpg\n", ["a<a.jpg"]),
        ("file,surprise\na.jpg,1\n", ["a<a.jpg{surprise=1}"]),
        ("file,url\n,\n", ["!invalid-row@2"]),
    ])
    func `CSV follows RFC 4180`(text: String, rows: [String]) throws {
        #expect(try Rows.of(text, named: "jobs.csv") == rows)
    }

    @Test(arguments: ["", "key,aspect\na,b\n", "file,file\na,b\n", "\"file\na"])
    func `CSV without a valid header line is rejected`(text: String) throws {
        #expect(throws: BatchError.self) { try Rows.of(text, named: "jobs.csv") }
    }

    @Test func `names in lists need not be UTF-8, but JSON must be UTF-8`() throws {
        let bad: [UInt8] = [0x61, 0xFF, 0x0A, 0x62, 0x0A]
        #expect(try Rows.of(bad, named: "l.txt") == ["a\u{10FFFF}<a\u{10FFFF}", "b<b"])
        #expect(try Rows.of(Array("file\n".utf8) + bad, named: "l.csv") == ["a\u{10FFFF}<a\u{10FFFF}", "b<b"])
        #expect(try Rows.of(bad, named: "l.jsonl") == ["!invalid-row@1", "!invalid-row@2"])
    }
}
