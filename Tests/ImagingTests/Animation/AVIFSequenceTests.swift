#if AVIF
import Imaging
import TestPacing
import TestPictures
import Testing

@Suite(.limitedConcurrency) struct AVIFSequenceTests {
    @Test func `pictures have their colours and times`() throws {
        let info = try #require(try ImageHeader.read(SequenceFile.avif).animation)
        #expect(info.frames == 3 && info.duration == 450 && info.plays == 0)
        let frames = try Animations.frames(SequenceFile.avif)
        #expect(frames.map(\.milliseconds) == [100, 250, 100])
        for (frame, color) in zip(frames, SequenceFile.colors) {
            let rgb = try ImageEncoder.encode(frame.image, as: .png)
            let image = try ImageDecoder.decode(rgb, header: try ImageHeader.read(rgb))
            for (plane, value) in zip(image.planes, [color.0, color.1, color.2]) {
                #expect(abs(Int(plane[x: 12, y: 8]) - Int(value)) < 12)
            }
        }
    }

    @Test func `a cut sequence ends early or is refused`() throws {
        for count in stride(from: 0, to: SequenceFile.avif.count, by: 7) {
            let cut = Array(SequenceFile.avif[..<count])
            guard let info = try? ImageHeader.read(cut).animation else { continue }
            let frames = try? Animations.frames(cut)
            #expect((frames?.count ?? 0) <= info.frames)
        }
    }
}
#endif
