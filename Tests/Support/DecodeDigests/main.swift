import CImageCodec
import Foundation
import Imaging
import TestImages

// decode-digests FILL ROUNDS [FILE…]: decodes files and damaged copies of them, and prints one line for each. The lines
// must not depend on FILL, the byte that fills new planes. Without files, a file of every format is drawn.
// GLIBC_TUNABLES fills the remaining memory (make check-fills).

let arguments = CommandLine.arguments.dropFirst()
guard let fill = arguments.first.flatMap({ UInt8($0) }),
    let rounds = arguments.dropFirst().first.flatMap({ UInt64($0) })
else { fatalError("usage: decode-digests FILL ROUNDS [FILE…]") }
hr_memory_set_fill(fill)

let paths = arguments.dropFirst(2)
let files =
    try paths.isEmpty
    ? DamagedFile.sources()
    : paths.map { (name: $0, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0)))) }
let limits = DecodeLimits(maxPixels: 30_000_000)
for file in files {
    for round in 0...rounds {
        let bytes = round == 0 ? file.bytes : DamagedFile.damaged(file.bytes, seed: round)
        let digest = DecodedDigest(bytes, limits: limits, maxFrames: 6)
        print(file.name, round, digest.map(\.description) ?? "no header")
    }
}
