import Encodings
import Testing

@Suite struct PathPartsTests {
    @Test(arguments: [
        ("a.jpg", "", "a.jpg", "jpg", "a"), ("photos/a.JPG", "photos", "a.JPG", "jpg", "photos/a"),
        ("/a", "/", "a", "", "/a"), ("b.d/.hidden", "b.d", ".hidden", "", "b.d/.hidden"),
        ("x/y.tar.gz", "x", "y.tar.gz", "gz", "x/y.tar"), ("", "", "", "", ""),
    ])
    func `a path is split at its last slash and its last dot`(
        path: String,
        folder: String,
        name: String,
        ending: String,
        rest: String
    ) {
        #expect(PathParts.folder(of: path) == folder)
        #expect(PathParts.name(of: path) == name)
        #expect(PathParts.ending(of: path) == ending)
        #expect(PathParts.withoutEnding(path) == rest)
    }

    @Test func `the name of a folder ends before its slashes`() {
        #expect(PathParts.name(of: "photos/2024//") == "2024")
    }
}
