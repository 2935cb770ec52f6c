import Batch
import TestImages
import Testing

/// Inputs with random damage.
///
/// Reading must end, and a key that leads out of the output folder must be an error.
@Suite struct HostileInputTests {
    private static let seeds: [(name: String, content: [UInt8])] = [
        ("l.txt", Array("a.jpg\r\nhttps://h/b.png?c\n../d.webp\n\n/e\n".utf8)),
        (
            "l.jsonl",
            Array("{\"file\":\"a.jpg\",\"width\":4e2}\n{\"url\":\"s3://b/c\",\"key\":\"\\ud83d\\ude00\"}\n".utf8)
        ),
        ("l.csv", Array("file,key,aspect\r\n\"a\"\"b\nc.jpg\",k,1:1\r\nd.jpg,,\r\n".utf8)),
        (
            "s.tar",
            TestArchive.pax("19 path=some/x.jpg\n") + TestArchive.member("a.jpg", [1, 2, 3])
                + TestArchive.member("././@LongLink", Array("long/name.png\u{0}".utf8), type: "L")
                + TestArchive.member("b.png", [4]) + TestArchive.member("b.json", [5]) + TestArchive.end
        ),
    ]

    @Test(arguments: seeds.indices)
    func `randomly damaged inputs are read to an end`(seed: Int) throws {
        let folder = try Folder()
        var random = SeededGenerator(seed: UInt64(seed + 1))
        let (name, content) = Self.seeds[seed]
        for _ in 0..<400 {
            var bytes = content
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 2 where bytes.count > 2: bytes.remove(at: place)
                default: bytes.replaceSubrange(place..<place, with: bytes[place...].prefix(40))
                }
            }
            var inputs = BatchInputs([try folder.write(bytes, to: name)])
            var count = 0
            // A CSV header without a source column is rejected as a whole.
            while let row = try? inputs.next() {
                count += 1
                if case .success(let job) = row.job, case .part(_, let range, _) = job.source {
                    #expect(range.upperBound <= bytes.count || name != "s.tar")
                }
            }
            #expect(count <= bytes.count)
        }
    }
}
