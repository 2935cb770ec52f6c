import HeadroomCLI

/// The `headroom` executable: the command line with the built-in detectors.
@main
enum HeadroomMain {
    // Not `async`: that would start threads, which a worker process must not have.
    static func main() { HeadroomCommand.main() }
}
