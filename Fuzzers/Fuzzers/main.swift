import CLibFuzzer
import Glibc

// fuzzers list | fuzzers seeds NAME FOLDER | fuzzers check | fuzzers grow BYTES [NAME…] | fuzzers run NAME [libFuzzer's own options and folders]

/// The fuzzer that libFuzzer's callback runs; it is global because the callback cannot capture context.
nonisolated(unsafe) var chosen: Fuzzer?

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "list":
    for fuzzer in Fuzzer.all { print(fuzzer.name) }
case "seeds" where arguments.count == 4:
    try SeedFolder(arguments[3]).write(named(arguments[2]).seeds())
case "check": Work.checkBounds()
case "grow" where arguments.count > 2:
    let bytes = Int(arguments[2]) ?? 1 << 16
    GrownFile.fixedBytes = bytes
    let names = arguments.dropFirst(3)
    for fuzzer in Fuzzer.readers where names.isEmpty || names.contains(fuzzer.name) {
        let start = Work.now
        let count = try fuzzer.runSeeds(every: max(1, bytes >> 20))
        print("\(fuzzer.name): \(count) files, the slowest of \(Work.slowest), all \(Work.now.text(since: start))")
        Work.slowest = ""
    }
case "run" where arguments.count > 2:
    let fuzzer = named(arguments[2])
    chosen = fuzzer
    run([arguments[0], "-max_len=\(fuzzer.maxLength)"] + arguments.dropFirst(3))
default:
    fatalError(
        "usage: fuzzers list | seeds NAME FOLDER | check | grow BYTES [NAME…] | run NAME [OPTIONS OF LIBFUZZER] [FOLDERS]"
    )
}

func named(_ name: String) -> Fuzzer {
    guard let fuzzer = Fuzzer.all.first(where: { $0.name == name }) else { fatalError("there is no fuzzer \(name)") }
    return fuzzer
}

/// Runs libFuzzer, which keeps pointers into its arguments until the process ends.
func run(_ arguments: [String]) {
    var count = Int32(arguments.count)
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { list[index] = strdup(argument) }
    list[arguments.count] = nil
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
    exit(
        LLVMFuzzerRunDriver(&count, &pointer) { bytes, count in
            guard let chosen else { return 0 }
            let start = Work.now
            chosen.run(UnsafeBufferPointer(start: bytes, count: count))
            Work.check(since: start, bytes: count, pixels: 0, .ofExecutions, in: chosen.name)
            return 0
        }
    )
}
