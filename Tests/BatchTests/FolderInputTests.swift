import Batch
import Foundation
import Testing

@Suite struct FolderInputTests {
    @Test func `a folder yields the images inside it, sorted by path`() throws {
        let folder = try Folder()
        for name in ["b.jpg", "a/z.PNG", "a/.hidden.jpg", ".git/x.jpg", "a.jpg", "a/b/c.webp", "note.txt", "out/r.jpg"]
        {
            try folder.write("x", to: "in/\(name)")
        }
        try FileManager.default.createSymbolicLink(atPath: folder.place("in/loop"), withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: folder.place("in/c.jpg"), withDestinationPath: "b.jpg")
        let rows = try Rows.of([folder.place("in")], in: folder, output: folder.place("in/out"))
        #expect(rows == ["a<in/a.jpg", "a/b/c<in/a/b/c.webp", "a/z<in/a/z.PNG", "b<in/b.jpg", "c<in/c.jpg"])
    }

    @Test func `patterns and files are processed in order`() throws {
        let folder = try Folder()
        for name in ["2.jpg", "1.jpg", "x.png", "[odd].jpg"] { try folder.write("x", to: name) }
        let rows = try Rows.of(
            [folder.place("x.png"), folder.place("?.jpg"), folder.place("[odd].jpg"), "https://h/a.jpg"],
            in: folder
        )
        #expect(rows == ["x<x.png", "1<1.jpg", "2<2.jpg", "[odd]<[odd].jpg", "h/a<https://h/a.jpg"])
    }

    @Test func `a missing file is a job, and a missing list or pattern is an error`() throws {
        let folder = try Folder()
        #expect(try Rows.of([folder.place("gone.jpg")], in: folder) == ["gone<gone.jpg"])
        for name in ["gone.csv", "gone.txt", "gone.tar", "gone*.jpg"] {
            #expect(throws: BatchError.self) { try Rows.of([folder.place(name)], in: folder) }
        }
    }

    @Test func `--from determines the kind of input`() throws {
        let folder = try Folder()
        let path = try folder.write("a.jpg\n", to: "names")
        #expect(try Rows.of([path], in: folder) == ["names<names"])
        #expect(try Rows.of([path], kind: .list, in: folder) == ["a<a.jpg"])
        #expect(throws: BatchError.self) { try Rows.of(["-"], in: folder) }
    }

    @Test(arguments: [
        ("a", true), ("a/b.c", true), ("ä/ö", true), ("..a", true), ("", false), ("/a", false), ("a/", false),
        ("a//b", false), ("../a", false), ("a/..", false), ("./a", false), ("a\nb", false), ("a\u{0}b", false),
        (".headroom-parts/a", false), (String(repeating: "a", count: 300), false),
        (String(repeating: "a/", count: 600) + "a", false),
    ])
    func `a key is a path relative to the folder`(path: String, isOne: Bool) {
        #expect((RelativePath.problem(path) == nil) == isOne)
    }
}
