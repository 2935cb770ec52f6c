import CLibFuzzer
import Glibc

// fuzzers list | fuzzers seeds NAME FOLDER | fuzzers run NAME [libFuzzer's own options and folders]

/// The fuzzer that libFuzzer's callback runs; the callback cannot capture context.
nonisolated(unsafe) var chosen: Fuzzer?

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "list":
    for fuzzer in Fuzzer.all { print(fuzzer.name) }
case "seeds" where arguments.count == 4:
    try SeedFolder(arguments[3]).write(named(arguments[2]).seeds())
case "run" where arguments.count > 2:
    let fuzzer = named(arguments[2])
    chosen = fuzzer
    run([arguments[0], "-max_len=\(fuzzer.maxLength)"] + arguments.dropFirst(3))
default:
    fatalError("usage: fuzzers list | seeds NAME FOLDER | run NAME [OPTIONS OF LIBFUZZER] [FOLDERS]")
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
            chosen?.run(UnsafeBufferPointer(start: bytes, count: count))
            return 0
        }
    )
}
